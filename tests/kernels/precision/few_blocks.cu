// What one block of many does, what stays in registers, and what is handed on.
// PARAM: --block 128

// The last row of blocks alone: a column that costs twice its ideal, once.
__global__ void last_column(float *v, float *out) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y + 1;
    float x = row;
    if (column == 512)
        x = v[4 * row];
//          ^^^^^^^^^^ none[WC101]
//          ^^^^^^^^^^ access! worst=16 best=16
    out[column * 512 + row] = x;
}

// Of few blocks each may have its own work.
__global__ void roles(float *v, float *out) {
    int i = threadIdx.x;
    if (blockIdx.x == 1)
        out[i] = v[4 * i];
//               ^^^^^^^^ warn[WC101]!
}

// Each lane has an index of its own to compare with.
__global__ void fixed_points(float *v, const int *at, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == at[i])
        out[i] = v[4 * i];
//               ^^^^^^^^ info[WC101]! "up to 16 sectors where 4 would do"
}

// Each round is another block's, which does all of its work there.
__global__ void in_turns(float *v, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        if (blockIdx.x == k)
            for (int j = 0; j < n; j++)
                out[i] += v[4 * i + 8192 * j];
//                        ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x). Runs n times per warp"
}

// Counts that are registers: the compiler predicates the increments.
__global__ void counted(const unsigned char *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int count[3] = {0, 0, 0};
    for (int k = 0; k < n; k++) {
        unsigned char c = in[k * 4096 + i];
        if (c == '0') { count[0]++; }
//          ^^^^^^^^ none[WC301]
        else if (c == '1') { count[1]++; }
//               ^^^^^^^^ none[WC301]
        else if (c == '2') { count[2]++; }
    }
    int sum = 0;
    for (int k = 0; k < 3; k++) sum += k * count[k];
    out[i] = sum;
}

// The gaps that a branch leaves are told at the branch.
__global__ void every_other(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0)
//      ^^^^^^^^^^ hint[WC301]! "16 of 32 threads active"
        out[i] = in[i];
//               ^^^^^ none[WC101]
    else
        out[i] = -in[i];
//                ^^^^^ none[WC101]
}

__global__ void child(float *p) { p[threadIdx.x] = 0; }

// A lane that launches: what it loops over on the way is bookkeeping.
__global__ void parent(float *p, int *stack, int n) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    if (threadIdx.x == 0) {
//      ^^^^^^^^^^^^^^^^ none[WC301]
        int top = 0;
        while (stack[top] != 0) top++;
        child<<<1, 128>>>(p + stack[top]);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900]
    }
}
