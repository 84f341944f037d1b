// A kernel that nobody launches beside others that are: it is told of as one in a file of its own, with the block that is assumed.

// What data may do with a block that nobody states.
__global__ void first_try(float *out, const float *table, const int *which, const int *rounds, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < rounds[i]; k++)
//                  ^^^^^^^^^^^^^ info[WC302]
        sum += table[which[k * n + i]];
//             ^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]
//             ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 ideal=4
    out[i] = sum;
}

// Somebody who writes the next one is told what it surely costs.
__global__ void next_try(float *out, const float *in, const int *which, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[8 * i] + in[which[i] + n];
//           ^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). 44% of this kernel's global traffic. Assumes block 256"
//                       ^^^^^^^^^^^^^^^^ none[WC101]
}

// Named only in what is called as a function: somebody may well launch it.
__global__ void handed_on(float *out, const float *table, const int *which) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[which[i]];
//           ^^^^^^^^^^^^^^^ hint[WC101] "if the values of `which[i]` scatter"
}

__global__ void in_use(float *out, const float *table, const int *which) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[which[i]];
//           ^^^^^^^^^^^^^^^ hint[WC101] "if the values of `which[i]` scatter"
}

void run_by(const void *kernel, float *out);

int main() {
    float *out = 0, *table = 0;
    int *which = 0;
    // first_try<<<64, 256>>>(out, table, which, which, 0);
    in_use<<<64, 256>>>(out, table, which);
    run_by((const void *)handed_on, out);
}
