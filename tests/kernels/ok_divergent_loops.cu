// expect: ok
/* break, continue, switch, goto and nested loops whose lengths differ from lane
   to lane. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int lane = threadIdx.x % 32;
    float sum = 0.0f;
    int twos = 0;

    if (i < n) {
        for (unsigned int k = 0;; k++) {
            if (k % 3 == 1)
                continue;
            if (k > lane)
                break;
            for (unsigned int m = lane; m > k; m -= 2) {
                twos += 2;
                if (m < 2)
                    break;
            }
        }
        switch (lane % 5) {
        case 0: sum += in[i]; break;
        case 1:
            sum -= in[i];
            // fall through
        case 2: sum += 2.0f * in[i]; break;
        case 3:
            if (lane > 16)
                goto half;
            sum += in[i];
            break;
        half:
        default:
            for (int part = 0; part < 4; part++)
                sum += 0.25f * in[i];
        }
        if (lane % 5 == 2)
            sum *= 0.5f;
    }
    if (twos % 2 == 0)
        atomicAdd(out, sum);
}
