// Launches of far more warps than have anything to do: what these waste is told, as of any kernel.

struct Mark {
    int place, color, age, group;
};

// The host counts all places, the kernel those of one row; another kernel does 500 times as much beside it.
__global__ void first_row(Mark *marks, int columns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 0 && i < columns) marks[i].age = 0;
//                             ^^^^^^^^^^^^ info[WC101]! "`first_row_often` does 500 times as much"
}

// All warps of this one have, and the next one does 500 times as much.
__global__ void all_rows(Mark *marks, int places) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < places) marks[i].age = 0;
//                  ^^^^^^^^^^^^ info[WC101]! "16 sectors where 4 would do (4x)"
}

// Few do this one, but often.
__global__ void first_row_often(Mark *marks, int columns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= columns) return;
    for (int k = 0; k < 500; k++) marks[i + k * columns].age = 0;
//                                ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
}

// Rounds that nobody knows, with a flag that only these set.
__global__ void few_rounds(Mark *marks, int columns, int rounds) {
    int width = blockDim.x, t = threadIdx.x, block = blockIdx.x;
    int begin = (width - 2 * rounds) * block - rounds, i = begin + t;
    int last = begin + width > columns ? columns - begin : width;
    bool inside = t >= (begin < 0 ? -begin : 0) && t < last, met;
    for (int k = 0; k < rounds; k++) {
        met = false;
        if (t > k && inside) {
            met = true;
            marks[i].age += marks[i].group;
            //              ^^^^^^^^^^^^^^ hint[WC104]
//          ^^^^^^^^^^^^ warn[WC101]! "if rounds = 1024"
        }
        __syncthreads();
        if (k == rounds - 1) break;
    }
    if (met) marks[i].color = 0;
}

// One thread of the grid goes through its blocks: two where there are a thousand elements.
__global__ void sums_of_blocks(float *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
//      ^^^^^^ info[WC301]! "1 of 32 threads active"
        float sum = 0;
        int blocks = ceil((double)n / (double)512);
        for (int k = 0; k < blocks; k++) sum += sums[k];
        sums[0] = sum;
    }
}

// This one goes through all elements.
__global__ void sum_of_all(float *all, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
//      ^^^^^^ info[WC301]! "1 of 32 threads active"
        float sum = 0;
        for (int k = 0; k < n; k++) sum += all[k];
        all[0] = sum;
    }
}

void run(Mark *marks, float *sums, int n) {
    int rows = 1000, columns = 100000;
    for (int k = 0; k < rows; k += 5) {
        int most = 5 < rows - k ? 5 : rows - k;
        first_row<<<rows * columns / 256, 256>>>(marks, columns);
        first_row_often<<<rows * columns / 256, 256>>>(marks, columns);
        all_rows<<<rows * columns / 256, 256>>>(marks, rows * columns);
        few_rounds<<<rows * columns / 256, 256>>>(marks, columns, most);
    }
    int blocks = ceil((double)n / (double)512);
    sums_of_blocks<<<blocks, 512>>>(sums, n);
    sum_of_all<<<blocks, 512>>>(sums, n);
}
