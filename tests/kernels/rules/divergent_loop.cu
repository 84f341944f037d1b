// Loops that lanes leave together, nearly together, and apart.

__global__ void together(float *a, int n) {
    for (int k = 0; k < n; k++) a[k * 256 + threadIdx.x] = 0.0f;
    //              ^^^^^ none
}

__global__ void strided(float *a, int n) {
    // All lanes but those of one warp leave at the same test, and that warp's in two groups.
    for (int i = threadIdx.x; i < n; i += 256) a[i] = 0.0f;
    //                        ^^^^^ none
}

__global__ void strided_by_parameter(float *a, int n, int stride) {
    for (int i = threadIdx.x; i < n; i += stride) a[i] = 0.0f;
    //                        ^^^^^ none[WC302]
}

__global__ void triangular(float *a) {
    // Lanes wait for 15.5 rounds on average, of 32 in the first warp and of 256 in the last.
    float sum = 0.0f;
    for (int k = 0; k <= threadIdx.x; k++) sum += a[k];
    //              ^^^^^^^^^^^^^^^^ info[WC302]! "up to 31 iterations apart, idle in 11% of them. Tested 257 times per warp. Costs about 11% of"
    a[threadIdx.x] = sum;
}

__global__ void small_triangle(float *a) {
    float sum = 0.0f;
    for (int k = 0; k <= threadIdx.x; k++) sum += a[k];
    //              ^^^^^^^^^^^^^^^^ warn[WC302]! "up to 31 iterations apart, idle in 48% of them. Tested 33 times per warp. Costs about 46% of"
    a[threadIdx.x] = sum;
}

__global__ void far_triangle(float *a, int n) {
    // Of a thousand rounds and more a lane waits for 15.5.
    float sum = 0.0f;
    for (int k = 0; k < n + threadIdx.x; k++) sum += a[k];
    //              ^^^^^^^^^^^^^^^^^^^ none[WC302]
    a[threadIdx.x] = sum;
}

__global__ void rows_of_rows(float *a, const int *rows, const int *length) {
    // What the outer loop holds is nearly all in the inner one, which says it.
    for (int i = rows[threadIdx.x]; i < rows[threadIdx.x + 1]; i++) {
    //                              ^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC302]
        float sum = 0.0f;
        for (int k = 0; k < length[threadIdx.x]; k++) sum += a[k * 256 + threadIdx.x];
        //              ^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]! "depends on data"
        a[i] = sum;
//      ^^^^ info[WC101]
    }
}

__global__ void rows_by_data(float *a, const int *length) {
    float sum = 0.0f;
    for (int k = 0; k < length[threadIdx.x]; k++) sum += a[0];
    //              ^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]! "depends on data"
    a[threadIdx.x] = sum;
}

__global__ void search(int *found, const int *keys, const int *wanted, int n) {
    int at = -1;
    for (int k = 0; k < n; k++) {
        if (keys[k] == wanted[threadIdx.x]) {
        //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]! "depends on data"
            at = k;
            break;
        }
    }
    found[threadIdx.x] = at;
}

__global__ void two_exits(int *a, const int *length, const int *stop) {
    // One loop is one line, however many ways lead out of it.
    for (int k = 0; k < length[threadIdx.x]; k++) {
    //              ^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]! "depends on data"
        if (stop[threadIdx.x + k] == 1) break;
        //  ^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC302]
        a[threadIdx.x] = k;
    }
}

__global__ void works_on_its_way_out(int *found, const int *keys, const int *wanted, int n) {
    // The side has work enough to be told as a branch, but the place is one line, and the lanes that stay wait anyway.
    for (int k = 0; k < n; k++) {
        if (keys[k] == wanted[threadIdx.x]) {
        //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]! "depends on data"
        //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC301]
            for (int j = 0; j < k; j++) found[j * 256 + threadIdx.x] = keys[j] + found[k * 256 + threadIdx.x];
            break;
        }
    }
}

__global__ void all_leave(int *a, const int *flag, int n) {
    for (int k = 0; k < n; k++) {
        if (flag[k]) break;
        //  ^^^^^^^ none
        switch (a[threadIdx.x]) {
        //      ^^^^^^^^^^^^^^ none[WC302]
        case 1: a[threadIdx.x] = 2; break;
        default: break;
        }
    }
}

__global__ void returns(float *a, const float *limit, int n) {
    float x = a[threadIdx.x];
    while (true) {
        if (x > limit[threadIdx.x]) return;
        //  ^^^^^^^^^^^^^^^^^^^^^^ info[WC302]! "depends on data"
        x = x * x + 1.0f;
        a[threadIdx.x] = x;
    }
}

void run_triangles(float *a) {
    triangular<<<1, 256>>>(a);
    small_triangle<<<1, 32>>>(a);
}

void run(float *a, const int *length, int n) {
    together<<<1, 256>>>(a, n);
    strided<<<1, 256>>>(a, n);
    strided_by_parameter<<<1, 256>>>(a, n, n);
    far_triangle<<<1, 256>>>(a, n);
    rows_of_rows<<<1, 256>>>(a, length, length);
    rows_by_data<<<1, 256>>>(a, length);
    search<<<1, 256>>>((int *)a, length, length, n);
    two_exits<<<1, 256>>>((int *)a, length, length);
    works_on_its_way_out<<<1, 256>>>((int *)a, length, length, n);
    all_leave<<<1, 256>>>((int *)a, length, n);
    returns<<<1, 256>>>(a, a, n);
}
