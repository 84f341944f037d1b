// Rows and columns at pitches that are not known: what is lost, and why.
// PARAM: --block 256

// The loop runs only if w >= 1, so no two lanes meet: the guard is not used to bound the pitch.
__global__ void pitch_of_a_loop_that_runs(float *p, int w) {
    for (int c = 0; c < w; c++)
        p[threadIdx.x * w + c] = 1;
//      ^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do (8x)"
//      ^^^^^^^^^^^^^^^^^^^^^^ access worst=32 best=1 true_best=4 ideal=4
}

// Rows 2k: each fourth row of an odd pitch is aligned.  The residue moves with the loop counter, so both costs occur in
// one launch, and the sum over the loop is less than its rounds times the worst.
__global__ void rows_of_a_loop(float *p, int w, int h) {
    for (int r = 0; r < h; r += 2)
        p[r * w + threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 exact=true
}

// Two sizes decide together.
__global__ void offset_and_pitch(float *p, int w, int from) {
    p[blockIdx.x * w + from + threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=5 best=4 exact=true
}

// A column at the pitch 2n + 1 is never even: lanes cannot meet on a sector unless n = 0 .. 3.
__global__ void odd_pitch(float *p, int n) {
    p[threadIdx.x * (2 * n + 1)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=32 best=1 true_best=4 ideal=4
}

// In shared memory an odd pitch never conflicts.
__global__ void odd_pitch_of_a_tile(int n) {
    extern __shared__ float s[];
    s[threadIdx.x * (2 * n + 1)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1
}

// A pitch that is loaded: half of all values have no conflict, and the bound is that of one in 32.
__global__ void loaded_pitch_of_a_tile(float *p, const int *lengths) {
    extern __shared__ float s[];
    int length = lengths[blockIdx.x] + 1;
    for (int i = 0; i < 8; i++) s[threadIdx.x * length + i] = p[i * 256 + threadIdx.x];
//                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
//                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=1
}

// Where the pitch is known, it is no matter that memory says where rows begin.
__global__ void loaded_start_in_a_tile(float *p, const int *starts) {
    extern __shared__ float s[];
    s[threadIdx.x * 4 + starts[blockIdx.x]] = p[threadIdx.x];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "4-way"
}

// The pitch of dynamic shared memory is that of the block: known, since the block is.
__global__ void pitch_of_the_block() {
    extern __shared__ float s[];
    s[threadIdx.x * (blockDim.x + 1)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1
}

// Both dimensions of a tile that is turned.
__global__ void turned(float *p, int w, int h) {
    int x = blockIdx.x * 16 + threadIdx.x % 16, y = blockIdx.y * 16 + threadIdx.x / 16;
    p[x * h + y] = 1;
//  ^^^^^^^^^^^^ warn[WC101] "up to 18 sectors where 4 would do (4.5x)"
//  ^^^^^^^^^^^^ access! worst=18 best=1 ideal=4
}

// Rows at a pitch, by vectors of 16 bytes: an address that is no multiple of 16 is a fault, so that every lane has one sector.
//@ launch block=(16, 16)
__global__ void vectors(float *out, int pitch) {
    float *to = out + (8 * threadIdx.x + 128 * blockIdx.x) * pitch + 8 * threadIdx.y;
    *reinterpret_cast<float4 *>(to) = make_float4(0, 0, 0, 0);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 16 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 ideal=16
}
