// Launches that stay the same however large the input is, beside others that grow with it: no quieter for that, unless the others do far more at usual sizes.

const int PARTS = 128;
const int LARGE = 1 << 24;

// A fixed number of blocks goes through all that there is.
__global__ void parts(int *partial, const int *data, unsigned n) {
    int sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += data[i];
    partial[blockIdx.x * 256 + threadIdx.x] = sum;
}

// As many parts whatever is counted: as many threads as the first stage has.
__global__ void merged(int *counts, const int *partial, unsigned many) {
    int sum = 0;
    for (unsigned i = threadIdx.x; i < many; i += 128)
        sum += partial[blockIdx.x + i * 256];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
    counts[blockIdx.x * 128 + threadIdx.x] = sum;
}

static int *partial;

void counted(int *counts, void *data, unsigned bytes) {
    parts<<<PARTS, 256>>>(partial, (int *)data, bytes / sizeof(int));
    merged<<<256, 128>>>(counts, partial, PARTS);
}

// Blocks that grow say the same.
__global__ void each_one(float *sums, const float *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[threadIdx.x], data[i]);
}

__global__ void turned(float *sums) {
    sums[threadIdx.x * 256 + blockIdx.x] *= 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
}

void scaled(float *sums, const float *data, int n) {
    each_one<<<(n + 255) / 256, 256>>>(sums, data, n);
    turned<<<256, 256>>>(sums);
}

// What one thread of few does very often may be the program.
__global__ void walked(float *sums) {
    for (int k = 0; k < 4096; k++)
        sums[threadIdx.x * 4096 * 64 + blockIdx.x * 4096 + k] *= 2;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

void walks(float *sums, const float *data, int n) {
    each_one<<<(n + 255) / 256, 256>>>(sums, data, n);
    walked<<<64, 256>>>(sums);
}

// So may what is of one size, if that is large.
__global__ void all_turned(float *large) {
    large[threadIdx.x * (LARGE / 256) + blockIdx.x] *= 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

void all_of_it(float *large, const float *data, int n) {
    each_one<<<(n + 255) / 256, 256>>>(large, data, n);
    all_turned<<<LARGE / 256, 256>>>(large);
}

// As many blocks as there are multiprocessors, of which each thread goes on: no fixed number of things.
__global__ void persistent(float *rows, const float *data, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        rows[i * 8] += data[i];
//      ^^^^^^^^^^^ warn[WC101]!
}

void goes_on(float *rows, const float *data, int n) {
    each_one<<<(n + 255) / 256, 256>>>(rows, data, n);
    persistent<<<80, 256>>>(rows, data, n);
}

// A number that is handed to a kernel may be anything: this one does not do more for more of it.
__global__ void seeded(float *field, int seed) {
    field[blockIdx.x * 256 + threadIdx.x] = seed * 0.5f;
}

__global__ void after_seeds(float *field) {
    field[threadIdx.x * 256 + blockIdx.x] *= 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

void seeds(float *field, int seed) {
    seeded<<<256, 256>>>(field, seed);
    after_seeds<<<256, 256>>>(field);
}

// Nor does the number of multiprocessors grow with the input,
__global__ void after_device(float *field) {
    field[threadIdx.x * 256 + blockIdx.x] *= 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

void of_the_device(float *field) {
    int many;
    cudaDeviceGetAttribute(&many, cudaDevAttrMultiProcessorCount, 0);
    int blocks = 4 * many;
    seeded<<<blocks, 256>>>(field, 1);
    after_device<<<256, 256>>>(field);
}

// what is made only now and then takes no time beside what is made always,
__global__ void always(float *sums) {
    sums[threadIdx.x * 256 + blockIdx.x] *= 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

void now_and_then(float *sums, const float *data, int n, bool fresh) {
    if (fresh) each_one<<<(n + 255) / 256, 256>>>(sums, data, n);
    always<<<256, 256>>>(sums);
}

// nor what is made once beside what is made again and again,
__global__ void again(float *sums) {
    sums[threadIdx.x * 256 + blockIdx.x] *= 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

void again_and_again(float *sums, const float *data, int n, int rounds) {
    each_one<<<(n + 255) / 256, 256>>>(sums, data, n);
    for (int r = 0; r < rounds; r++) again<<<256, 256>>>(sums);
}

// nor what has nothing to do with it.
__global__ void of_its_own(float *sums) {
    sums[threadIdx.x * 256 + blockIdx.x] *= 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

void on_their_own(float *sums, float *others, const float *data, int n) {
    each_one<<<(n + 255) / 256, 256>>>(sums, data, n);
    of_its_own<<<256, 256>>>(others);
}

// Two ways to go over one input
__global__ void one_way(float *out, const float *in, const float *by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * by[i];
}

__global__ void other_way(float *out, const float *in) {
    out[blockIdx.x * 256 + threadIdx.x] = in[threadIdx.x * 256 + blockIdx.x];
//                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

void both_ways(float *out, const float *in, const float *by, int n) {
    one_way<<<n / 256, 256>>>(out, in, by, n);
    other_way<<<256, 256>>>(out, in);
}

// are no stages of one thing, nor where each has an output of its own.
__global__ void third_way(float *out, const float *in) {
    out[blockIdx.x * 256 + threadIdx.x] = in[threadIdx.x * 256 + blockIdx.x];
//                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

void three_ways(float *out, float *another, const float *in, const float *by, int n) {
    one_way<<<n / 256, 256>>>(out, in, by, n);
    third_way<<<256, 256>>>(another, in);
}
