"""torch.sum over powers of two, as rows like those of peers.cu (a process of
its own, so not interleaved).  Inputs rotate through 4 GiB."""
import statistics
import sys

import torch

POOL = 1 << 30
pool = torch.rand(POOL, device="cuda")
for power in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
    n = 1 << power
    slices = max(1, min(POOL // n, 512))
    times = []
    for run in range(-3, 31):
        k = (run + 3) % slices
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        torch.cuda.synchronize()
        begin.record()
        total = pool[k * n : (k + 1) * n].sum()
        end.record()
        end.synchronize()
        if run >= 0:
            times.append(1000 * begin.elapsed_time(end))
    times.sort()
    us = statistics.median(times)
    print(
        f"{n},torch_sum,{us:.2f},{times[3]:.2f},{times[27]:.2f},,,"
        f"{n * 4e-3 / us:.1f},"
    )
