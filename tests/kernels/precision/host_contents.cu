// Arrays that the host fills with one number, or with few different ones, and tables in memory that all lanes share.

// One number in all elements: all lanes of all warps go the same way.
__global__ void heated(const float *__restrict__ temperature, float *a, float *b, float scale) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float t = temperature[i] * scale;
    if (t > 1000.0f) {
//      ^^^^^^^^^^^ none[WC301]
        for (int k = 0; k < 40; k++) a[i] += expf(a[i] * k);
    } else {
        for (int k = 0; k < 40; k++) b[i] += sinf(b[i] * k);
    }
}

// The same beside contents that nobody knows.
__global__ void heated_apart(const float *__restrict__ temperature, const float *__restrict__ any, float *a, float *b) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float t = temperature[i] * any[i];
    if (t > 1000.0f) {
//      ^^^^^^^^^^^ info[WC301] "decided by data"
        for (int k = 0; k < 40; k++) a[i] += expf(a[i] * k);
    } else {
        for (int k = 0; k < 40; k++) b[i] += sinf(b[i] * k);
    }
}

// Two kinds: a table of pairs of them has four places that are looked up, by way of shared memory too.
__global__ void pairs(const int *__restrict__ kind, const double *__restrict__ force, double *out, int kinds) {
    __shared__ int near[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    near[threadIdx.x] = kind[i];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 32; k++) sum += force[kinds * near[threadIdx.x ^ k] + kind[i]];
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
    out[i] = sum;
}

// Fifty kinds may lie as far apart as any.
__global__ void many_kinds(const int *__restrict__ kind, const double *__restrict__ force, double *out, int kinds) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = force[kinds * kind[i]];
//           ^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "if the values of `kind[i]` scatter"
}

// A kernel writes it: after the first launch nobody knows what is in it.
__global__ void steps(float *state, float *a, float *b) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (state[i] > 0.5f) {
//      ^^^^^^^^^^^^^^^ info[WC301] "decided by data"
        for (int k = 0; k < 40; k++) a[i] += expf(a[i] * k);
    } else {
        for (int k = 0; k < 40; k++) b[i] += sinf(b[i] * k);
    }
    state[i] = a[i] + b[i];
}

// Extents and strides in memory, which all lanes share: what they make of the lane's number is arithmetic, and no scatter.
__global__ void transposed(double *p, double *q, double *r, const int *__restrict__ extent, const int *__restrict__ stride, const float *__restrict__ inverse, int rank, int size, int n) {
    for (int tile = blockIdx.x; tile < n; tile += gridDim.x) {
        int rest = tile, next = 0, first = 0;
        for (int j = 0; j < rank; j++) {
            next = rest * inverse[j];
            first += stride[j] * (rest - next * extent[j]);
            rest = next;
        }
        for (int i = threadIdx.x; i < size; i += blockDim.x) {
            rest = i;
            int at = 0;
            for (int j = 0; j < rank; j++) {
                next = rest * inverse[j];
                at += stride[j] * (rest - next * extent[j]);
                rest = next;
            }
            p[first + at] = 1;
//          ^^^^^^^^^^^^^ none[WC101]
            q[first + at] = r[first + at];
        }
    }
}

// The same with an index of the lane's own.
__global__ void transposed_by(double *p, double *q, double *r, const int *__restrict__ extent, const int *__restrict__ stride, const float *__restrict__ inverse, const int *__restrict__ from, int rank, int n) {
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) {
        int rest = from[i], at = 0;
        for (int j = 0; j < rank; j++) {
            int next = rest * inverse[j];
            at += stride[j] * (rest - next * extent[j]);
            rest = next;
        }
        p[at] = 1;
//      ^^^^^ hint[WC101]
        q[at] = r[at];
    }
}

// Lanes that part by contents of their own count on by themselves.
__global__ void counted_apart(const int *__restrict__ flags, double *p, double *q, double *r, const int *__restrict__ stride, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int at = 0, mine = flags[i];
    for (int j = 0; j < n; j++)
        if (mine >> j & 1) at += stride[j];
    p[at] = 1;
//  ^^^^^ hint[WC101]
    q[at] = r[at];
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    float *t = (float *)malloc(4 * n), *s = (float *)malloc(4 * n), *x = (float *)malloc(4 * n), *d_t, *d_s, *d_x, *a, *b;
    int *two, *fifty, *d_extent, *d_stride, *d_from;
    double *force, *out;
    cudaMallocManaged(&two, 4 * n);
    cudaMallocManaged(&fifty, 4 * n);
    for (int i = 0; i < n; i++) {
        t[i] = 900.0f;
        s[i] = 1.0f;
        x[i] = rand() / 7.0f;
        two[i] = i % 2;
        fifty[i] = i % 50;
    }
    cudaMalloc(&d_t, 4 * n);
    cudaMalloc(&d_s, 4 * n);
    cudaMalloc(&d_x, 4 * n);
    cudaMemcpy(d_t, t, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_s, s, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x, 4 * n, cudaMemcpyHostToDevice);
    heated<<<n / 256, 256>>>(d_t, a, b, 1.0f);
    heated_apart<<<n / 256, 256>>>(d_t, d_x, a, b);
    pairs<<<n / 256, 256>>>(two, force, out, 50);
    many_kinds<<<n / 256, 256>>>(fifty, force, out, n);
    for (int i = 0; i < 10; i++)
        steps<<<n / 256, 256>>>(d_s, a, b);
    transposed<<<n / 256, 256>>>(out, force, force, d_extent, d_stride, a, 3, 5863, n);
    transposed_by<<<n / 256, 256>>>(out, force, force, d_extent, d_stride, a, d_from, 3, n);
    counted_apart<<<n / 256, 256>>>(d_from, out, force, force, d_stride, 3);
}

// Marks that are set here and there in what is zero, and numbers that somebody else may have written, are not one number.
__global__ void marked(const int *__restrict__ flag, float *a, float *b) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (flag[i]) {
//      ^^^^^^^ hint[WC301] "decided by data"
        for (int k = 0; k < 40; k++) a[i] += expf(a[i] * k);
    } else {
        for (int k = 0; k < 40; k++) b[i] += sinf(b[i] * k);
    }
}

__global__ void zeroed(const int *__restrict__ flag, float *a, float *b) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (flag[i]) {
//      ^^^^^^^ none[WC301]
        for (int k = 0; k < 40; k++) a[i] += expf(a[i] * k);
    } else {
        for (int k = 0; k < 40; k++) b[i] += sinf(b[i] * k);
    }
}

__global__ void read_in(const int *__restrict__ flag, float *a, float *b) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (flag[i]) {
//      ^^^^^^^ hint[WC301] "decided by data"
        for (int k = 0; k < 40; k++) a[i] += expf(a[i] * k);
    } else {
        for (int k = 0; k < 40; k++) b[i] += sinf(b[i] * k);
    }
}

__global__ void moved_on(const int *__restrict__ flag, float *a, float *b) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (flag[i]) {
//      ^^^^^^^ hint[WC301] "decided by data"
        for (int k = 0; k < 40; k++) a[i] += expf(a[i] * k);
    } else {
        for (int k = 0; k < 40; k++) b[i] += sinf(b[i] * k);
    }
}

void mark_some(const int *from, int count, int n, std::ifstream &in, float *a, float *b) {
    int *mark = (int *)calloc(n, 4), *read = (int *)malloc(4 * n), *moved = (int *)malloc(4 * n), *d_mark, *d_zero, *d_read, *d_moved;
    std::vector<int> zero(n, 0);
    for (int i = 0; i < count; i++) mark[from[i]] = 1;
    for (int i = 0; i < n; i++) {
        read[i] = 7;
        moved[i] = 7;
    }
    in.read((char *)read, 4 * n);
    int *other = moved + 1;
    for (int i = 0; i < n / 2; i++) *other++ = i;
    cudaMemcpy(d_mark, mark, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_zero, zero.data(), 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_read, read, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_moved, moved, 4 * n, cudaMemcpyHostToDevice);
    marked<<<n / 256, 256>>>(d_mark, a, b);
    zeroed<<<n / 256, 256>>>(d_zero, a, b);
    read_in<<<n / 256, 256>>>(d_read, a, b);
    moved_on<<<n / 256, 256>>>(d_moved, a, b);
}
