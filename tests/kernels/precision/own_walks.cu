// Rows that each lane walks through by itself: its next rounds use what a round fetched, if a cache holds that until then.

#define LENGTH 30

//@ launch block=(256)
__global__ void nearest(const float *__restrict__ rows, float *__restrict__ out, float at) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float least = 1e30f;
    for (int j = 0; j < LENGTH; j++) {
        float apart = fabsf(rows[i * LENGTH + j] - at);
//                          ^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this). Runs 30 times per warp"
        least = apart < least ? apart : least;
    }
    out[i] = least;
}

// Rows of more than a line.
//@ launch block=(256)
__global__ void longer(const float *__restrict__ rows, float *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < 40; j++) sum += rows[i * 40 + j];
    //                                  ^^^^^^^^^^^^^^^^ hint[WC104]
//                                      ^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this). Runs 40 times"
    out[i] = sum;
}

// Half of each row: what lies between is fetched for nothing.
//@ launch block=(256)
__global__ void halves(const float *__restrict__ rows, float *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < 20; j++) sum += rows[i * 32 + j] * j;
    //                                  ^^^^^^^^^^^^^^^^ hint[WC104]
//                                      ^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this). Runs 20 times"
    out[i] = sum;
}

// Every other element.
//@ launch block=(256)
__global__ void evens(const float *__restrict__ rows, float *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < LENGTH; j += 2) sum += rows[i * LENGTH + j] * j;
//                                             ^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Runs 15 times"
    out[i] = sum;
}

// Stores: L2 pays for each of them, memory behind it is sent whole sectors.
//@ launch block=(256)
__global__ void laid_out(float *__restrict__ rows, const float *__restrict__ in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float from = in[i];
    for (int j = 0; j < LENGTH; j++) rows[i * LENGTH + j] = from * j;
//                                   ^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Each thread fills the rest of these sectors in its next iterations (L1 may absorb this)"
}

// The length that all launches pass.
__global__ void sized(const float *__restrict__ rows, float *__restrict__ out, int length) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < length; j++) sum += rows[i * length + j];
//                                          ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this)"
    out[i] = sum;
}

// One that nobody passes as a number.
__global__ void unsized(const float *__restrict__ rows, float *__restrict__ out, int length) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < length; j++) sum += rows[i * length + j];
//                                          ^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this). Runs length times"
    out[i] = sum;
}

// Rows from where memory says.
//@ launch block=(256)
__global__ void sparse(const int *first, const float *value, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int j = first[i]; j < first[i + 1]; j++) sum += value[j];
//                         ^^^^^^^^^^^^^^^^ info[WC302]
//                                                       ^^^^^^^^ info[WC101]! "up to 32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations"
    out[i] = sum;
}

void run(float *rows, float *out, int length) {
    sized<<<64, 256>>>(rows, out, 24);
    unsized<<<64, 256>>>(rows, out, length);
}

// Rows in planes: the inner loop goes along the row.
//@ launch block=(256)
__global__ void planes(const float *__restrict__ x, float *__restrict__ sums, int batch, int filters, int spatial) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < batch; j++)
        for (int k = 0; k < spatial; k++) sum += x[(j * filters + i) * spatial + k];
//                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "4 would do (8x). Each thread reads the rest of these sectors in its next iterations (L1"
    sums[i] = sum;
}

// The outer loop does: it comes to the next element when all planes were gone through.
//@ launch block=(256)
__global__ void across(const float *__restrict__ x, float *__restrict__ sums, int batch, int filters, int spatial) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < spatial; k++)
        for (int j = 0; j < batch; j++) sum += x[(j * filters + i) * spatial + k];
//                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "4 would do (8x)"
    sums[i] = sum;
}
