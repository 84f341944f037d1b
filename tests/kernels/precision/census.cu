// What the census of public code found to be coarse, in the smallest form.
// PARAM: --block 256

// The word that holds a short: the pointer's low bits are cut off, two neighbours share a word.
__global__ void word_of_a_short(short *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long p = reinterpret_cast<unsigned long long>(a + i);
    int *word = reinterpret_cast<int *>(p & ~3ULL);
    *word = 1;
//  ^^^^^ access! worst=2 best=2
}

// The extent of a list bounds the words of each bank: 513 shorts are 257 words, at most 9 in a bank.
__global__ void marks(const int *from) {
    __shared__ unsigned short list[513];
    int offset = 1;
    for (int d = from[0] >> 1; d > 0; d >>= 1) {
        if (threadIdx.x < d)
            list[offset * (2 * threadIdx.x + 2) - 1] = 1;
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "up to 9-way"
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=9
        offset <<= 1;
        __syncthreads();
    }
}

// Runs of d elements change places: 32 lanes write 32 different elements.
__global__ void permuted(float *out, const float *in, int d, int n, int h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int head = i / (n * d), rest = i % (n * d);
    out[rest / d * h * d + head * d + rest % d] = in[i];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=32 best=1 true_best=4
}

// Two rows of one warp that a guard keeps apart: x < w.
__global__ void rows_apart(double *p, int w, int h) {
    int x = blockIdx.x * 16 + threadIdx.x % 16;
    int y = blockIdx.y * 16 + threadIdx.x / 16;
    if (x < w && y < h)
        p[y * w + x] = 1;
//      ^^^^^^^^^^^^ access worst=10 best=4 true_best=8
}

// An unsigned index that a parameter shifts may be beyond an int's range: no assumption excludes that yet.
__global__ void shifted_range(float *p, int first, int last) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + first;
    if (x <= last)
//      ^^^^^^^^^ branch divergence=possible
        p[x] = 1;
}
