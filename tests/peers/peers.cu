/* Our kernels beside the libraries', interleaved in one process, as CSV.
 *
 *   peers [--from 10] [--to 30] [--runs 41] KERNEL...
 *
 * KERNEL is NAME,FILE.ptx,BLOCK,ITEMS,SM_BLOCKS,ZERO: the grid is what covers
 * n with ITEMS elements a thread, at most SM_BLOCKS for each SM; ZERO = 1 sets
 * *out to 0 first, inside the clock.
 *
 * Inputs rotate through 8 GiB, far more than the L2.  Before each timed run one
 * element gets a value of its own, and each timed run's sum is checked.
 * Columns, in microseconds a run:
 *   alone  median of runs between two events each, with 10 % and 90 %
 *   back   runs back to back on different inputs
 *   graph  the same in one CUDA graph
 * The empty kernel shows what of that is not work.  CUB's sum gives the same
 * bits in every run on one GPU as it is, by its documentation. */
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cuda.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "peers: %s failed\n", what);
    exit(2);
}
#define CUDA(call) check((call) == cudaSuccess, #call)
#define DRIVER(call) check((call) == CUDA_SUCCESS, #call)

static const size_t POOL = (size_t)1 << 31; // floats
static const size_t TEMPORARY = (size_t)64 << 20;
static int sm_count;
static void *temporary;
static cudaStream_t stream;
static cublasHandle_t blas;

struct peer {
    std::string name;
    std::function<void(const float *in, float *out, size_t n)> run;
    bool in_graph; // can be captured
    bool back;     // can be queued without waiting
};
static std::vector<peer> peers;

// ---- the two-pass form, for comparison with x2 -------------------------------

__device__ float pass_partials[4096];

__device__ float pass_block_sum(float x)
{
    typedef cub::BlockReduce<float, 512> reduce;
    __shared__ typename reduce::TempStorage storage;
    return reduce(storage).Sum(x);
}

__global__ void pass_one(const float *in, size_t n)
{
    const float4 *quads = (const float4 *)in;
    size_t step = (size_t)gridDim.x * blockDim.x, count = n / 4;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (; i + 3 * step < count; i += 4 * step) {
        float4 a = quads[i], b = quads[i + step];
        float4 c = quads[i + 2 * step], d = quads[i + 3 * step];
        sum += ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w));
        sum += ((c.x + c.y) + (c.z + c.w)) + ((d.x + d.y) + (d.z + d.w));
    }
    for (; i < count; i += step) {
        float4 a = quads[i];
        sum += (a.x + a.y) + (a.z + a.w);
    }
    sum = pass_block_sum(sum);
    if (threadIdx.x == 0)
        pass_partials[blockIdx.x] = sum;
}

__global__ void pass_two(float *out, unsigned count)
{
    float sum = 0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum += pass_partials[i];
    sum = pass_block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

static void two_pass(const float *in, float *out, size_t n)
{
    size_t cover = (n + 512 * 16 - 1) / (512 * 16);
    unsigned grid = (unsigned)std::min<size_t>(cover, 4 * sm_count);
    pass_one<<<grid, 512, 0, stream>>>(in, n);
    pass_two<<<1, 512, 0, stream>>>(out, grid);
}

// ---- the peers ------------------------------------------------------------------

__global__ void nothing()
{
}

static void cub_sum(const float *in, float *out, size_t n)
{
    size_t bytes = TEMPORARY;
    CUDA(cub::DeviceReduce::Sum(temporary, bytes, in, out, (long long)n,
                                stream));
}

static void thrust_sum(const float *in, float *out, size_t n)
{
    float sum = thrust::reduce(thrust::cuda::par.on(stream), in, in + n, 0.0f);
    CUDA(
        cudaMemcpyAsync(out, &sum, sizeof sum, cudaMemcpyHostToDevice, stream));
}

static void blas_sum(const float *in, float *out, size_t n)
{
    check(cublasSasum_64(blas, (int64_t)n, in, 1, out) == CUBLAS_STATUS_SUCCESS,
          "asum");
}

static std::string part(std::string &text)
{
    size_t end = text.find(',');
    std::string first = text.substr(0, end);
    text = end == std::string::npos ? "" : text.substr(end + 1);
    return first;
}

static void add_kernel(std::string text)
{
    CUmodule module;
    CUfunction function;
    int registers = 0;
    std::string name = part(text), file = part(text);
    size_t block = strtoul(part(text).c_str(), NULL, 10);
    size_t items = strtoul(part(text).c_str(), NULL, 10);
    size_t sm_blocks = strtoul(part(text).c_str(), NULL, 10);
    bool zero = part(text) == "1";

    DRIVER(cuModuleLoad(&module, file.c_str()));
    DRIVER(cuModuleGetFunction(&function, module, "reduce"));
    cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
    fprintf(stderr, "%s: %d registers\n", name.c_str(), registers);
    peers.push_back({name,
                     [=](const float *in, float *out, size_t n) {
                         size_t tile = block * items;
                         size_t cover =
                             std::max<size_t>(1, (n + tile - 1) / tile);
                         size_t grid = std::min(cover, sm_blocks * sm_count);
                         void *arguments[] = {&in, &out, &n};
                         if (zero)
                             CUDA(cudaMemsetAsync(out, 0, 4, stream));
                         DRIVER(cuLaunchKernel(
                             function, (unsigned)grid, 1, 1, (unsigned)block, 1,
                             1, (unsigned)block * 4, stream, arguments, NULL));
                     },
                     true, true});
}

static void add_libraries()
{
    peers.push_back({"empty",
                     [](const float *, float *, size_t) {
                         nothing<<<1, 32, 0, stream>>>();
                     },
                     true, true});
    peers.push_back({"cub", cub_sum, true, true});
    peers.push_back({"thrust", thrust_sum, false, false});
    peers.push_back({"cublas_asum", blas_sum, false, true});
    peers.push_back({"two_pass", two_pass, true, true});
}

// ---- data -----------------------------------------------------------------------

/* In (0, 1), so that the sum of absolute values is the sum. */
__global__ void generate(float *x, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < n; i += (size_t)gridDim.x * blockDim.x) {
        unsigned long long y = i * 0x9e3779b97f4a7c15ull;
        y = (y ^ (y >> 30)) * 0xbf58476d1ce4e5b9ull;
        x[i] = (float)((y >> 40) + 1) * (1.0f / 16777218.0f);
    }
}

__global__ void add_in_double(const float *x, size_t n, double *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    for (; i < n; i += (size_t)gridDim.x * blockDim.x)
        sum += (double)x[i];
    atomicAdd(out, sum);
}

/* The sums of the slices in double, each without its first element. */
static std::vector<double> expected(const float *pool, size_t n, size_t slices)
{
    std::vector<double> sums(slices);
    double *out;
    unsigned grid = (unsigned)std::min<size_t>(n / 256 + 1, 8 * sm_count);
    CUDA(cudaMalloc(&out, slices * sizeof *out));
    CUDA(cudaMemsetAsync(out, 0, slices * sizeof *out, stream));
    for (size_t k = 0; k < slices; k++)
        add_in_double<<<grid, 256, 0, stream>>>(pool + k * n + 1, n - 1,
                                                out + k);
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaMemcpy(sums.data(), out, slices * sizeof *out,
                    cudaMemcpyDeviceToHost));
    CUDA(cudaFree(out));
    return sums;
}

// ---- measuring -------------------------------------------------------------------

struct bench {
    float *pool, *out;
    size_t n, slices, next;
    std::vector<double> sums;
    cudaEvent_t from, to;
    int wrong;
};

static float elapsed_us(bench &b)
{
    float ms = 0;
    CUDA(cudaEventRecord(b.to, stream));
    CUDA(cudaEventSynchronize(b.to));
    CUDA(cudaEventElapsedTime(&ms, b.from, b.to));
    return ms * 1000;
}

static float alone(bench &b, const peer &p)
{
    size_t k = b.next++ % b.slices;
    float *in = b.pool + k * b.n, first = (float)(b.next % 97), sum = NAN;

    CUDA(cudaMemcpyAsync(in, &first, sizeof first, cudaMemcpyHostToDevice,
                         stream));
    CUDA(cudaMemcpyAsync(b.out, &sum, sizeof sum, cudaMemcpyHostToDevice,
                         stream));
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaEventRecord(b.from, stream));
    p.run(in, b.out, b.n);
    float us = elapsed_us(b);
    CUDA(cudaMemcpy(&sum, b.out, sizeof sum, cudaMemcpyDeviceToHost));
    double right = b.sums[k] + first;
    if (p.name != "empty" && !(fabs(sum - right) <= 1e-5 * right + 1e-4)) {
        if (b.wrong < 5)
            fprintf(stderr, "%s, n %zu: %.9g is not %.9g\n", p.name.c_str(),
                    b.n, sum, right);
        b.wrong++;
    }
    return us;
}

static float many(bench &b, const peer &p, int count, bool as_graph)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    float us;

    if (as_graph) {
        CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    } else {
        CUDA(cudaEventRecord(b.from, stream));
    }
    for (int i = 0; i < count; i++)
        p.run(b.pool + b.next++ % b.slices * b.n, b.out, b.n);
    if (!as_graph)
        return elapsed_us(b) / count;
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&ready, graph, 0));
    CUDA(cudaGraphLaunch(ready, stream)); // uploads it
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaEventRecord(b.from, stream));
    CUDA(cudaGraphLaunch(ready, stream));
    us = elapsed_us(b) / count;
    CUDA(cudaGraphExecDestroy(ready));
    CUDA(cudaGraphDestroy(graph));
    return us;
}

static void one_size(bench &b, int runs)
{
    size_t count = peers.size();
    std::vector<std::vector<float>> us(count);
    double cub = 0;

    for (int r = -2; r < runs; r++)
        for (size_t j = 0; j < count; j++) {
            size_t i = (j + (size_t)(r + 2)) % count; // nobody is always first
            float t = alone(b, peers[i]);
            if (r >= 0)
                us[i].push_back(t);
        }
    for (size_t i = 0; i < count; i++) {
        std::sort(us[i].begin(), us[i].end());
        if (peers[i].name == "cub")
            cub = us[i][runs / 2];
    }
    int batch = b.n >= (size_t)1 << 26 ? 5 : 100;
    for (size_t i = 0; i < count; i++) {
        double t = us[i][runs / 2];
        float back = peers[i].back ? many(b, peers[i], batch, false) : 0;
        float graph = peers[i].in_graph ? many(b, peers[i], batch, true) : 0;
        printf("%zu,%s,%.2f,%.2f,%.2f,%.2f,%.2f,%.1f,%.3f\n", b.n,
               peers[i].name.c_str(), t, us[i][runs / 10], us[i][runs * 9 / 10],
               back, graph, b.n * 4e-3 / t, cub / t);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int first = 10, last = 30, runs = 41;
    bench b = {};
    cudaDeviceProp properties;

    CUDA(cudaGetDeviceProperties(&properties, 0));
    sm_count = properties.multiProcessorCount;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaMalloc(&temporary, TEMPORARY));
    CUDA(cudaMalloc(&b.pool, POOL * sizeof(float)));
    CUDA(cudaMalloc(&b.out, sizeof(float)));
    CUDA(cudaEventCreate(&b.from));
    CUDA(cudaEventCreate(&b.to));
    check(cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    cublasSetStream(blas, stream);
    cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
    add_libraries();
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (more && !strcmp(argv[i], "--from"))
            first = atoi(argv[++i]);
        else if (more && !strcmp(argv[i], "--to"))
            last = atoi(argv[++i]);
        else if (more && !strcmp(argv[i], "--runs"))
            runs = atoi(argv[++i]);
        else
            add_kernel(argv[i]);
    }
    generate<<<8 * sm_count, 256, 0, stream>>>(b.pool, POOL);
    printf("n,name,alone_us,p10_us,p90_us,back_us,graph_us,gb_s,x_cub\n");
    for (int power = first; power <= last; power++) {
        b.n = (size_t)1 << power;
        b.slices = std::min<size_t>(POOL / b.n, 512);
        b.sums = expected(b.pool, b.n, b.slices);
        b.next = 0;
        one_size(b, b.n >= (size_t)1 << 28 ? std::max(9, runs / 2) : runs);
    }
    CUDA(cudaDeviceSynchronize());
    return b.wrong != 0;
}
