// Launches beside a loop that are over fewer threads: no warnings where the loop certainly does 64 times as much.

__global__ void parts_added(const float *p, unsigned *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && p[i] > 0) sums[blockIdx.x] = 1;
}

__global__ void level_added(unsigned *sums, const unsigned *ends) {
    sums[blockIdx.x * 512 + threadIdx.x] += ends[blockIdx.x];
}

// Levels that are no smaller than the one above: nobody knows how many there are.
__global__ void pairs_of_all(unsigned *sums) {
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    sums[at] += sums[at + 1];
//  ^^^^^^^^ warn[WC101]! ""
}

void level_of_all(unsigned *sums, int count, int level) {
    pairs_of_all<<<count / 512, 256>>>(sums);
    if (level > 0) level_of_all(sums, count, level - 1);
    level_added<<<count / 512, 256>>>(sums, sums);
}

void measured_levels(float *p, unsigned *sums, int blocks, int levels) {
    for (int r = 0; r < 20; r++) parts_added<<<blocks, 256>>>(p, sums, blocks * 256);
    level_of_all(sums, blocks, levels);
}

// A thread does something as often as a size says: few threads, but all of the work.
__global__ void pairs_of_rows(unsigned *sums, int rows) {
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    for (int y = 0; y < rows; y++) sums[at + y * 1048576] += 1;
//                                 ^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! ""
}

void rows_of(unsigned *sums, int count, int rows) {
    pairs_of_rows<<<count / 512, 256>>>(sums, rows);
    level_added<<<count / 512, 256>>>(sums, sums);
}

void measured_rows(float *p, unsigned *sums, int blocks, int rows) {
    for (int r = 0; r < 20; r++) parts_added<<<blocks, 256>>>(p, sums, blocks * 256);
    rows_of(sums, blocks, rows);
}

// The loop beside it makes three rounds, of 512 times as many threads each.
__global__ void pairs_of_few(unsigned *sums) {
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    sums[at] += sums[at + 1];
//  ^^^^^^^^ info[WC101]! "`parts_added` does 3400 times as much"
}

void few_of(unsigned *sums, int count) {
    pairs_of_few<<<count / 512, 256>>>(sums);
    level_added<<<count / 512, 256>>>(sums, sums);
}

void measured_few(float *p, unsigned *sums, int blocks) {
    for (int r = 0; r < 3; r++) parts_added<<<blocks, 256>>>(p, sums, blocks * 256);
    few_of(sums, blocks);
}

// In a loop of its own, which makes as many.
__global__ void pairs_of_each(unsigned *sums) {
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    sums[at] += sums[at + 1];
//  ^^^^^^^^ info[WC101]! "`parts_added` does 170 times as much"
}

void each_of(unsigned *sums, int count) {
    for (int r = 0; r < 20; r++) pairs_of_each<<<count / 512, 256>>>(sums);
    level_added<<<count / 512, 256>>>(sums, sums);
}

void measured_each(float *p, unsigned *sums, int blocks) {
    for (int r = 0; r < 20; r++) parts_added<<<blocks, 256>>>(p, sums, blocks * 256);
    each_of(sums, blocks);
}

// Over no fewer threads.
__global__ void pairs_of_many(unsigned *sums) {
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    sums[at] += sums[at + 1];
//  ^^^^^^^^ warn[WC101]! ""
}

void many_of(unsigned *sums, int count) {
    pairs_of_many<<<count / 2, 256>>>(sums);
    level_added<<<count / 512, 256>>>(sums, sums);
}

void measured_many(float *p, unsigned *sums, int blocks) {
    for (int r = 0; r < 20; r++) parts_added<<<blocks, 256>>>(p, sums, blocks * 256);
    many_of(sums, blocks);
}

int main(int argc, char **argv) {
    float *p;
    unsigned *sums;
    int blocks = atoi(argv[1]), most = atoi(argv[2]);
    measured_levels(p, sums, blocks, most);
    measured_rows(p, sums, blocks, most);
    measured_few(p, sums, blocks);
    measured_each(p, sums, blocks);
    measured_many(p, sums, blocks);
}
