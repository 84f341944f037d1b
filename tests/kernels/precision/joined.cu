// Accesses that compilers make one request of, and those that they do not make: findings go by what is left.  Each of these was held
// against what nvcc makes of it.
// PARAM: --block 256

// Real and imaginary parts at even places: loads of 16 bytes side by side.
__global__ void pairs(double *out, const double *in) {
    __shared__ double parts[512];
    int t = threadIdx.x;
    parts[t] = in[t];
    parts[t + 256] = in[t + 256];
    __syncthreads();
    int at = 512 * (t / 256) + 2 * (t % 256);
    out[t] = parts[at] * parts[at + 1];
//           ^^^^^^^^^ access! worst=4 ideal=2
//           ^^^^^^^^^ none[WC201]
}

// At odd places no such load may begin.
__global__ void odd_pairs(double *out, const double *in) {
    __shared__ double parts[512];
    int t = threadIdx.x;
    parts[t] = in[t];
    parts[t + 256] = in[t + 256];
    __syncthreads();
    if (t < 255)
        out[t] = parts[2 * t + 1] * parts[2 * t + 2];
//               ^^^^^^^^^^^^^^^^ info[WC201]! "ith 1 more access to `parts`"
}

// Where arrays lie behind three words, nobody knows where they begin.
__global__ void behind(float *out, const float *in) {
    __shared__ float few[3];
    __shared__ float parts[512];
    int t = threadIdx.x;
    few[t % 3] = 1;
    parts[t] = in[t];
    parts[t + 256] = in[t + 256];
    __syncthreads();
    out[t] = parts[2 * t] * parts[2 * t + 1] + few[t % 3];
//           ^^^^^^^^^^^^ info[WC201]! "ith 1 more access to `parts`"
}

// Rows of whole windows, four words apart from the banks of the rows around them; the loop's rounds are known.
__global__ void rows(float *out, const float *in) {
    __shared__ float row[256][20];
    int t = threadIdx.x;
    for (int k = 0; k < 20; k++)
        row[k * 12 + t / 20][t % 20] = in[256 * k + t];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 16; j++)
        sum += row[t][j];
//             ^^^^^^^^^ none[WC201]
//             ^^^^^^^^^ access! worst=4 ideal=1
    out[t] = sum;
}

// The same where nvcc is told to leave the loop alone, and where only the launch says how many rounds it has.
__global__ void rolled(float *out, const float *in) {
    __shared__ float row[256][20];
    int t = threadIdx.x;
    for (int k = 0; k < 20; k++)
        row[k * 12 + t / 20][t % 20] = in[256 * k + t];
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int j = 0; j < 16; j++)
        sum += row[t][j];
//             ^^^^^^^^^ warn[WC201]! "4-way"
    for (int j = 0; j < blockDim.x / 16; j++)
        sum *= row[t][j] + 1;
//             ^^^^^^^^^ access! worst=4 ideal=1
    out[t] = sum;
}

// Elements of another type than the array's: `int4` says where they begin.
__global__ void cast(float *out, const int4 *in) {
    __shared__ int4 staged[256];
    int t = threadIdx.x;
    staged[t] = in[t];
    __syncthreads();
    const float *mine = reinterpret_cast<const float *>(&staged[255 - t]);
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 4; j++)
        sum += mine[j] * j;
//             ^^^^^^^ none[WC201]
//             ^^^^^^^ access! worst=4 ideal=1
    out[t] = sum;
}

// Three words of four are loaded as four.
__global__ void three_words(float *out, const float *in) {
    __shared__ float quads[1024];
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++)
        quads[t + 256 * k] = in[t + 256 * k];
    __syncthreads();
    out[t] = quads[4 * t + 1] * quads[4 * t + 2] * quads[4 * t + 3];
//           ^^^^^^^^^^^^^^^^ none[WC201]
}

// Rows that lie worse are told as what is left: four wavefronts for each quarter of a request of 16 bytes.
__global__ void bad_rows(float *out, const float *in) {
    __shared__ float row[256][16];
    int t = threadIdx.x;
    for (int k = 0; k < 16; k++)
        row[k * 16 + t / 16][t % 16] = in[256 * k + t];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 16; j++)
        sum += row[t][j];
//             ^^^^^^^^^ warn[WC201]! "16 wavefronts where 4 would do (4x). Runs 4 times per warp"
//             ^^^^^^^^^ access! worst=16 ideal=1
    out[t] = sum;
}

// What is stored between loads keeps them apart, and so does a barrier.
__global__ void kept_apart(double *out, const double *in) {
    __shared__ double parts[512];
    int t = threadIdx.x;
    parts[t] = in[t];
    parts[t + 256] = in[t + 256];
    __syncthreads();
    parts[2 * t] *= 2;
//  ^^^^^^^^^^^^ warn[WC201]!
    parts[2 * t + 1] *= 3;
    __syncthreads();
    double first = parts[2 * t];
    __syncthreads();
    out[t] = first + parts[2 * t + 1];
}

// Stores side by side.
__global__ void stored_pairs(double *out, const double *in) {
    __shared__ double parts[512];
    int t = threadIdx.x;
    parts[2 * t] = in[t];
//  ^^^^^^^^^^^^ none[WC201]
    parts[2 * t + 1] = in[t + 256];
    __syncthreads();
    out[t] = parts[t];
}

// Nobody knows where a `double *` of the host begins.
__global__ void global_pairs(double *out, const double *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    double x = in[i];
    out[2 * i] = x;
  //^^^^^^^^^^ hint[WC104]
//  ^^^^^^^^^^ info[WC101]! "16 sectors where 8 would do"
    out[2 * i + 1] = -x;
}

// Both members are loaded, both are stored: a store to one is none to the other.
__global__ void scaled(float2 *p, float by) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float2 &mine = p[i];
    mine.x *= by;
//  ^^^^^^ none[WC101]
    mine.y *= by;
}

// Members of one type of record are told apart by name, wherever the records are.
__global__ void copied(const float2 *from, float2 *to) {
    int i = blockIdx.x * 256 + threadIdx.x;
    to[i].x = from[i].x + 1;
//  ^^^^^^^ none[WC101]
    to[i].y = from[i].y + 2;
}

// What may be the same member is not.
__global__ void swapped(const float2 *from, float2 *to) {
    int i = blockIdx.x * 256 + threadIdx.x;
    to[i].x = from[i].y;
//  ^^^^^^^ info[WC101]! "8 sectors where 4 would do"
    to[i].y = from[i].x;
}

// Where code of its own stands between them, two loads are two.
__global__ void branched(const float2 *p, float *out, float2 *seen, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    seen[i].x = 1;
//  ^^^^^^^^^ info[WC101]! "8 sectors where 4 would do"
    if (i < n)
//      ^^^^^ none
        out[i] = 3;
    seen[i].y = 2;
}

// Of these statements one load and one store are left: nothing else leads to what `out` leads to.
__global__ void in_place(float *__restrict__ out, const float *__restrict__ in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[8 * i] -= in[i];
//  ^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). With 1 more access to `out`: 84%"
    out[8 * i] += in[i + 256];
    out[8 * i] *= in[i + 512];
}

// Without that promise the loads of `in` may be of what was stored: one load and three stores.
__global__ void in_memory(float *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[8 * i] -= in[i];
//  ^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Runs once per warp (2 requests each). With 2 more accesses to `out`: 91"
    out[8 * i] += in[i + 256];
    out[8 * i] *= in[i + 512];
}

// What may have been stored to meanwhile, at a place that memory names, is loaded again.
__global__ void by_name(float *out, const float *in, const int *at) {
    __shared__ float cells[512];
    int t = threadIdx.x;
    cells[t] = in[t];
    cells[t + 256] = in[t + 256];
    __syncthreads();
    float x = cells[2 * t];
//            ^^^^^^^^^^^^ info[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x). With 1 more access"
    cells[at[t]] = 1;
//  ^^^^^^^^^^^^ hint[WC201]
    out[t] = x + cells[2 * t];
//               ^^^^^^^^^^^^ access! worst=2 ideal=1
}

// How many rounds the inner loop has is known only where the outer one was unrolled before, and nvcc begins with the inner one: there is a
// store in each round.
__global__ void triangle(float *out, const float *in) {
    __shared__ float row[256][16];
    int t = threadIdx.x;
    for (int k = 0; k < 16; k++)
        row[k * 16 + t / 16][t % 16] = in[256 * k + t];
    __syncthreads();
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < i; j++)
            row[t][i] -= row[t][j] * i;
//          ^^^^^^^^^ warn[WC201]! "16-way, each request takes 16 wavefronts where 1 would do (16x). Runs 120 times per warp (2 requests each). With 2 more accesses to `row`: 100%"
    out[t] = row[t][15];
}

// Stores to shared memory are joined where they follow each other, in whatever order within their window.
__global__ void words_one_after_the_other(float *out, const float *in) {
    __shared__ float row[256 * 4];
    int t = threadIdx.x;
    row[4 * t + 1] = in[t];
    row[4 * t] = in[t + 128];
    row[4 * t + 3] = in[t + 256];
    row[4 * t + 2] = in[t + 384];
//  ^^^^^^^^^^^^^^ none[WC201]
    __syncthreads();
    out[t] = row[t];
}

// Of two arrays by turns none are, nor of two windows.
__global__ void words_by_turns(float *out, const float *in) {
    __shared__ float row[256 * 8];
    int t = threadIdx.x;
    row[8 * t] = in[t];
//  ^^^^^^^^^^ warn[WC201]! "8-way, each request takes 8 wavefronts where 1 would do (8x). With 7 more accesses to `row`"
    row[8 * t + 4] = in[t + 128];
    row[8 * t + 1] = in[t + 256];
    row[8 * t + 5] = in[t + 384];
    row[8 * t + 2] = in[t + 512];
    row[8 * t + 6] = in[t + 640];
    row[8 * t + 3] = in[t + 768];
    row[8 * t + 7] = in[t + 896];
    __syncthreads();
    out[t] = row[t];
}

// Not all of these kernels wait where they should.
