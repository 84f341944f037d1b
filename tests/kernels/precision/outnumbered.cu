// A scan of what blocks have left, by a function that calls itself: nobody knows how often it launches, so nothing beside it is certain to do more.

__global__ void parts_added(const float *p, unsigned *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && p[i] > 0) sums[blockIdx.x] = 1;
}

__global__ void level_added(unsigned *sums, const unsigned *ends) {
    sums[blockIdx.x * 512 + threadIdx.x] += ends[blockIdx.x];
}

// Two numbers a thread, each of a block of `parts_added`; nine rounds of a tree.
__global__ void pairs_of_sums(unsigned *sums, unsigned *ends) {
    __shared__ unsigned held[256];
    unsigned lane = threadIdx.x, at = blockIdx.x * 512 + lane * 2;
    held[lane] = sums[at] + sums[at + 1];
    for (unsigned d = 256; d > 0; d /= 2) {
        __syncthreads();
        if (lane < d / 2) held[lane] += held[lane + d / 2];
    }
    if (lane == 0) ends[blockIdx.x] = held[0];
    sums[at] = held[lane];
//  ^^^^^^^^ warn[WC101]! ""
}

// Each level hands the next one a number for each of its blocks, and each word of the command line is a run.
void level_of_sums(unsigned *sums, unsigned **ends, int count, int level) {
    unsigned blocks = max(1, (int)ceil(count / 512.0f)), last = 0;
    if (count % 512 != 0) last = 1;
    dim3 grid(max(1, blocks - last), 1, 1);
    if (blocks > 1) {
        pairs_of_sums<<<grid, 256>>>(sums, ends[level]);
        level_of_sums(ends[level], ends, blocks, level + 1);
        level_added<<<grid, 256>>>(sums, ends[level]);
    }
}

void scanned(unsigned *sums, unsigned **ends, int count) { level_of_sums(sums, ends, count, 0); }

void measured(float *p, unsigned *sums, unsigned **ends, int threads, int blocks) {
    int runs = 20;
    for (int r = 0; r < runs; r++) parts_added<<<blocks, threads>>>(p, sums, blocks * threads);
    scanned(sums, ends, blocks);
}

int main(int argc, char **argv) {
    float *p;
    unsigned *sums, **ends;
    for (int i = 1; i < argc; i++) measured(p, sums, ends, 256, atoi(argv[i]));
}
