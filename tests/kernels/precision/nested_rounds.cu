// Rounds inside of rounds, of which nobody knows how many there are: what only their product makes much of is a guess of a guess.

__global__ void retried(const int *first, const int *again, const int *level, int *best, float *wide, int nodes) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= nodes)
        return;
    for (int k = 0; k < 16; k++)
        wide[nodes * k + i] = 2.0f * wide[nodes * k + i];
    int most = 0;
    for (int round = 0; round < again[0]; round++) {
        for (int k = first[i]; k < first[i + 1]; k++)
//                             ^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations"
            most = max(most, level[k] + round);
//                           ^^^^^^^^ hint[WC101]! "up to 32 sectors"
    }
    best[i] = most;
}

// The same in one loop of unknown length: a single guess.
__global__ void once(const int *first, const int *level, int *best, float *wide, int nodes) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= nodes)
        return;
    for (int k = 0; k < 16; k++)
        wide[nodes * k + i] = 2.0f * wide[nodes * k + i];
    int most = 0;
    for (int k = first[i]; k < first[i + 1]; k++)
//                         ^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations"
        most = max(most, level[k] + k);
//                       ^^^^^^^^ info[WC101] "up to 32 sectors"
    best[i] = most;
}

// There is nothing else: the share is much the same whatever the lengths are.
__global__ void alone(const int *first, const int *again, const int *level, int *best) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int low = first[i], high = first[i + 1], most = 0;
    for (int round = 0; round < again[0]; round++) {
        for (int k = low; k < high; k++)
//                        ^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations"
            most = max(most, level[k] + round);
//                           ^^^^^^^^ info[WC101] "up to 32 sectors"
    }
    best[i] = most;
}

void launch(const int *first, const int *again, const int *level, int *best, float *wide, int nodes) {
    retried<<<(nodes + 255) / 256, 256>>>(first, again, level, best, wide, nodes);
    once<<<(nodes + 255) / 256, 256>>>(first, level, best, wide, nodes);
    alone<<<4, 256>>>(first, again, level, best);
}
