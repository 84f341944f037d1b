// Index arrays that loops of the host fill with what they count: lanes that read them side by side go to places side by side.

__global__ void next_ones(const int *__restrict__ next, const float4 *__restrict__ value, float *out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = value[next[i]].x;
//               ^^^^^^^^^^^^^^^^ none[WC101]
//               ^^^^^^^^^^^^^^^^ access! worst=32
}

// Places that rise, some left out: of rows, one behind the other, half a warp for each.
__global__ void row_sums(const int *__restrict__ first, const int *__restrict__ column, const float *__restrict__ x, float *out, int n) {
    int row = blockIdx.x * 16 + threadIdx.x / 16;
    if (row >= n) return;
    float sum = 0;
    for (int k = first[row] + threadIdx.x % 16; k < first[row + 1]; k += 16)
//                                              ^^^^^^^^^^^^^^^^^^ info[WC302] "(decided by data: `first[row]`)"
        sum += x[column[k]];
//             ^^^^^^^^^^^^ none[WC101]
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

struct Bond {
    int to, kind;
};

__global__ void bonds(const int2 *__restrict__ bond, const float *__restrict__ value, const float *__restrict__ table, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = value[bond[i].x];
//           ^^^^^^^^^^^^^^^^ none[WC101]
    out[i] += table[bond[i].y];
//            ^^^^^^^^^^^^^^^^ hint[WC101] "if the values of `bond[i].y` scatter"
}

// By rows of the array: the inner loop counts, the outer one goes on from row to row.
__global__ void faces(const int *__restrict__ down, const int *__restrict__ across, float *value) {
    int i = blockIdx.x * 256 + threadIdx.x;
    value[down[i]] = 0;
//  ^^^^^^^^^^^^^^ none[WC101]
    value[across[i]] = 0;
//  ^^^^^^^^^^^^^^^^ hint[WC101] "if the values of `across[i]` scatter"
}

// What the host shuffles or draws is in no order.
__global__ void drawn(const int *__restrict__ mixed, const int *__restrict__ any, const float *__restrict__ value, const float *__restrict__ x, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = value[mixed[i]];
//           ^^^^^^^^^^^^^^^ hint[WC101] "if the values of `mixed[i]` scatter"
    out[i] += x[any[i]];
//            ^^^^^^^^^ hint[WC101] "if the values of `any[i]` scatter"
}

void sum_rows(int *first, int *column, float *x, float *out, int n, int count) {
    int *d_first, *d_column;
    cudaMalloc((void **)&d_first, 4 * (n + 1));
    cudaMalloc((void **)&d_column, 4 * count);
    cudaMemcpy(d_first, first, 4 * (n + 1), cudaMemcpyHostToDevice);
    cudaMemcpy(d_column, column, 4 * count, cudaMemcpyHostToDevice);
    row_sums<<<(n + 15) / 16, 256>>>(d_first, d_column, x, out, n);
    cudaFree(d_first);
}

template <typename T>
void upload(T *to, const T *from, int n) {
    cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyHostToDevice);
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    float4 *value;
    float *x, *out;
    int *next = (int *)malloc(4 * n), *d_next, *d_down, *d_across, *d_mixed, *d_any;
    int2 *pairs = (int2 *)malloc(8 * n), *d_pairs;
    for (int i = 0; i < n; i++) {
        next[i] = (i + 1) % n;
        pairs[i] = {i + 1, rand() % 8};
    }
    upload(d_next, next, n);
    cudaMemcpy(d_pairs, pairs, 8 * n, cudaMemcpyHostToDevice);
    next_ones<<<n / 256, 256>>>(d_next, value, out, n);
    bonds<<<n / 256, 256>>>(d_pairs, x, x, out);

    std::vector<int> first, column;
    int count = 0;
    for (int i = 0; i < n; i++) {
        first.push_back(count);
        for (int j = 0; j < n; j++)
            if (rand() % 10) {
                column.push_back(j);
                count++;
            }
    }
    first.push_back(count);
    sum_rows(first.data(), column.data(), x, out, n, count);
    sum_rows(first.data(), column.data(), x, out, n, count);

    int *down = new int[n * n], *across = new int[n * n], at = 0;
    for (int i = 0; i < n; i++) {
        int plane = i * n * n;
        for (int j = 0; j < n; j++) {
            down[at] = plane + j;
            across[at] = plane + j * n;
            at++;
        }
    }
    cudaMemcpy(d_down, down, 4 * n * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_across, across, 4 * n * n, cudaMemcpyHostToDevice);
    faces<<<n * n / 256, 256>>>(d_down, d_across, x);

    int *mixed = new int[n], *any = new int[n];
    for (int i = 0; i < n; i++) {
        mixed[i] = i;
        any[i] = i + rand() % n;
    }
    std::random_shuffle(mixed, mixed + n);
    cudaMemcpy(d_mixed, mixed, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_any, any, 4 * n, cudaMemcpyHostToDevice);
    drawn<<<n / 256, 256>>>(d_mixed, d_any, x, x, out);
}
