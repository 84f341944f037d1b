// What a compiler makes of loads and stores, a kernel for each kind: tests/oracles/compiled_requests.py holds what we say of it against machine
// code.
// PARAM: --block 128

struct __align__(16) Quad {
    int a, b, c, d;
};

// Joined: four members, two of four, and words of shared memory beside each other.
__global__ void joined_loads(const Quad *in, int *out) {
    int i = blockIdx.x * 128 + threadIdx.x;
    int sum = in[i].a + in[i].b;
    sum *= in[i].c - in[i].d;
    out[i] = sum;
}

__global__ void joined_stores(Quad *out, int x) {
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i].c = x;
    out[i].d = x + 1;
    out[i].a = i;
    out[i].b = 0;
}

__global__ void joined_words(const float *in, float *out) {
    __shared__ float row[256];
    int t = threadIdx.x;
    row[t] = in[t];
    row[t + 128] = in[t + 128];
    __syncthreads();
    out[t] = row[2 * t] - row[2 * t + 1];
}

// Elements of `int *` may begin anywhere.
__global__ void not_joined(const int *in, int *out) {
    int t = threadIdx.x;
    out[t] = in[t] + in[t + 1];
}

// Forwarded: what a thread has stored it need not load.
__global__ void forwarded(int *out, const int *in) {
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i] * 3;
    out[i + 128] = out[i] + 1;
}

// Loaded already; a store by a pointer that may lead there makes it load again, one by a pointer that may not does not.
__global__ void loaded_already(int *__restrict__ out, const int *__restrict__ in) {
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i] + 1;
    out[i + 128] = in[i] * 5;
}

__global__ void loaded_again(int *out, const int *in) {
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i] + 1;
    out[i + 128] = in[i] * 5;
}

__global__ void loaded_behind_barrier(int *out, const int *in, int *other) {
    int i = blockIdx.x * 128 + threadIdx.x;
    int first = other[i];
    __syncthreads();
    out[i] = first * other[i] + in[i];
}

// Stored over: nobody sees the first number.
__global__ void stored_over(int *out, int x) {
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = 0;
    out[i] = x;
}

__global__ void stored_and_seen(int *out, const int *in) {
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = 0;
    int x = in[i];
    out[i] = x;
}

// Kept in a register through a loop: a sum, and an operand; not where a store may lead to it.
__global__ void kept_sum(float *__restrict__ out, const float *__restrict__ in, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    for (int k = 0; k < n; k++)
        out[i] += in[k * 128 + i];
}

__global__ void kept_operand(float *__restrict__ out, const float *__restrict__ scale, const float *__restrict__ in, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    for (int k = 0; k < n; k++)
        out[k * 128 + i] = in[k * 128 + i] * scale[i];
}

__global__ void not_kept(float *out, const float *scale, const float *in, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    for (int k = 0; k < n; k++)
        out[k * 128 + i] = in[k * 128 + i] * scale[i];
}

// Both sides of a branch store one element, or load one.
__global__ void either_stores(float *out, const float *in) {
    int i = blockIdx.x * 128 + threadIdx.x;
    float x = in[i];
    if (x > 0)
        out[i] = x;
    else
        out[i] = 2 - x * x;
}

__global__ void either_loads(float *out, const float *in, const float *other) {
    int i = blockIdx.x * 128 + threadIdx.x;
    float x = in[i];
    if (x > 0)
//      ^^^^^ hint[WC301]
        x += other[i];
    else
        x -= 3 * other[i];
    out[i] = x;
}

// Written out: rounds whose number is known are one piece of code, and their loads are joined; others are made round by round.
__global__ void written_out(const Quad *in, int *out) {
    int i = blockIdx.x * 128 + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += in[128 * k + i].a * in[128 * k + i].b;
//             ^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 8 would do (2x). Runs 4 times per warp"
//             ^^^^^^^^^^^^^^^^^ access! worst=16 ideal=4
    out[i] = sum;
}

__global__ void round_by_round(const int *in, int *out, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[128 * k + i];
    out[i] = sum;
}

__global__ void endless(const int *in, int *out) {
    int i = blockIdx.x * 128 + threadIdx.x, sum = 0;
    while (true) {
        int x = in[i];
        if (x < 0)
//          ^^^^^ info[WC302]
            break;
        sum += x;
        i += 128;
    }
    out[threadIdx.x] = sum;
}
