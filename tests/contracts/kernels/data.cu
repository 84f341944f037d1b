// What memory holds: gathers, histograms, lists, searches.

//@ launch block=(32) grid=(1)
//@ expect sectors <= 40                      // holds
//@ expect sectors <= 36                      // violated
//@ expect sectors >= 9                       // holds
//@ expect sectors <= 40 - (n & 1)            // violated
//@ expect sectors <= 40 + (n & 1)            // not shown
__global__ void gather(float *a, const float *b, const int *q, int n) {
    a[threadIdx.x] = b[q[threadIdx.x]];
}

//@ launch block=(256) grid=(1)
//@ expect sectors <= 36                      // holds
//@ expect sectors <= 8                       // violated
//@ expect sectors <= 35                      // not shown
__global__ void histogram(int *h, const unsigned char *b) {
    atomicAdd(&h[b[4 * threadIdx.x]], 1);
}

//@ launch block=(64) grid=(1)
//@ expect sectors <= 36                      // holds
//@ expect sectors == 5                       // violated
//@ expect conflicts == 0                     // holds
//@ expect sectors <= 5 when n == 1           // violated
//@ expect sectors <= 36 | n                  // not shown
__global__ void one_for_all(float *a, const float *b, const int *q, int n) {
    a[threadIdx.x] = b[q[0] + threadIdx.x * n % 1];
}

//@ launch block=(32) grid=(1)
//@ expect sectors <= 36*n + 36               // holds
//@ expect sectors <= 4*n                     // violated
//@ expect sectors <= 30*n + 100              // violated
//@ expect sectors <= 60000                   // not shown
__global__ void rows_of_a_list(float *a, const float *b, const int *q, int n) {
    float s = 0.0f;
    for (int k = 0; k < n; ++k) s += b[q[32 * k + threadIdx.x]];
    a[threadIdx.x] = s;
}

//@ launch block=(32) grid=(1)
//@ expect divergences <= 1                   // violated
//@ expect sectors <= 4                       // violated
//@ expect sectors <= 1000000                 // holds
//@ expect sectors <= 259                     // not shown
//@ expect conflicts == 0                     // holds
__global__ void as_long_as_data_say(float *a, const int *q) {
    float s = 0.0f;
    for (int k = 0; k < (q[threadIdx.x] & 63); ++k) s += 1.0f;
    a[threadIdx.x] = s;
}

//@ launch block=(64) grid=(1)
//@ expect sectors <= 12                      // holds
//@ expect sectors <= 8                       // violated
//@ expect sectors <= 11                      // violated
//@ expect sectors == 12                      // not shown
__global__ void few(float *a, const int *q, const float *b) {
    a[threadIdx.x] = q[threadIdx.x] > 70000 ? 0.0f : b[threadIdx.x];
}

//@ launch block=(32) grid=(1)
//@ expect sectors <= 8                       // holds
//@ expect sectors == 5                       // holds
//@ expect sectors <= 4                       // violated
//@ expect sectors == 5 when n % 3 == 5       // not shown
__global__ void same_word(float *a, const float *b, int n) {
    a[threadIdx.x] = b[n];
}

//@ launch block=(32) grid=(1)
//@ expect sectors <= 36                      // holds
//@ expect sectors <= 8                       // violated
//@ expect sectors <= 20                      // violated
//@ expect sectors <= 24                      // holds
//@ expect sectors == 24                      // violated
//@ expect sectors <= 24 | gridDim.x          // not shown
__global__ void masked(float *a, const float *b, const int *q) {
    a[threadIdx.x] = b[q[threadIdx.x] & 127];
}

//@ launch block=(128) grid=(1)
//@ expect sectors <= 4                       // holds
//@ expect conflicts == 0                     // violated
//@ expect conflicts <= 31                    // holds
//@ expect conflicts <= 30                    // holds
//@ expect conflicts <= 6                     // violated
//@ expect conflicts >= 1                     // violated
//@ expect conflicts <= 7 | 8                 // not shown
__global__ void shared_histogram(const int *q, int *h) {
    __shared__ int t[256];
    t[threadIdx.x] = 0;
    t[threadIdx.x + 128] = 0;
    __syncthreads();
    atomicAdd(&t[q[threadIdx.x] & 255], 1);
}

//@ launch block=(32) grid=(1)
//@ expect sectors <= n + 4                   // not shown
//@ expect sectors == 4                       // violated
//@ expect conflicts == 0                     // holds
__global__ void search(float *a, const int *q, int n) {
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (q[middle] < 1000) low = middle + 1;
        else high = middle;
    }
    a[threadIdx.x] = low;
}
