// Pointers into one array, views of other types, pieces of one pool.
#define N 64

// free: absent
__global__ void evens_and_odds(int *a) {
    int t = threadIdx.x;
    int *even = a, *odd = a + 1;
    even[2 * t] = t;
    odd[2 * t] = -t;
}

// free: absent
__global__ void pieces_of_a_pool(int *out) {
    extern __shared__ int pool[];
    int *low = pool, *high = pool + N, t = threadIdx.x;
    low[t] = t;
    high[t] = 2 * t;
    __syncthreads();
    out[t] = low[N - 1 - t] + high[t ^ 1];
}

// free: absent
__global__ void bytes_and_words(int *out, const char *in) {
    __shared__ int words[N];
    char *bytes = (char *)words;
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++) bytes[4 * t + k] = in[4 * t + k];
    __syncthreads();
    out[t] = words[N - 1 - t];
}

// free: absent
__global__ void halves_of_an_array(int *a) {
    int *low = a, *high = a + 4 * N, i = blockIdx.x * N + threadIdx.x;
    low[i] = high[i] + 1;
}

// racy: certain
__global__ void shifted_by_one(int *a) {
    int t = threadIdx.x;
    int *to = a, *from = a + 1;
    to[t] = from[t];
}

// racy: certain
__global__ void pool_too_short(int *out) {
    extern __shared__ int pool[];
    int *low = pool, *high = pool + N / 2, t = threadIdx.x;
    low[t] = t;
    high[t] = 2 * t;
    __syncthreads();
    out[t] = low[t] + high[t];
}

// racy: certain
__global__ void bytes_of_a_neighbour(int *out, const char *in) {
    __shared__ int words[N + 1];
    char *bytes = (char *)words;
    int t = threadIdx.x;
    for (int k = 0; k < 5; k++) bytes[4 * t + k] = in[5 * t + k];
    __syncthreads();
    out[t] = words[t];
}

// racy: certain
__global__ void second_of_a_pair(int *out) {
    __shared__ int s[2 * N];
    int t = threadIdx.x;
    *(int2 *)(s + 2 * t) = make_int2(t, -t);
    out[t] = s[2 * (t ^ 32) + 1];
}

// racy: certain
__global__ void halves_that_overlap(int *a) {
    int *low = a, *high = a + 3 * N, i = blockIdx.x * N + threadIdx.x;
    low[i] = high[i] + 1;
}

void run(int *a, char *c) {
    evens_and_odds<<<1, N>>>(a), pieces_of_a_pool<<<1, N, 8 * N>>>(a), bytes_and_words<<<1, N>>>(a, c), halves_of_an_array<<<4, N>>>(a);
    second_of_a_pair<<<1, N>>>(a), shifted_by_one<<<1, N>>>(a), pool_too_short<<<1, N, 8 * N>>>(a), bytes_of_a_neighbour<<<1, N>>>(a, c), halves_that_overlap<<<4, N>>>(a);
}
