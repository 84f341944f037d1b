// Arrays that the host allocates with few bytes: lanes that pick elements of them are never further apart.

__global__ void counted(const int *key, const int *start, int *count, const int *mark, const int *swapped) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int k = key[i];
    count[i] = start[k];
//             ^^^^^^^^ none[WC101]
//             ^^^^^^^^ access! worst=32 ideal=4
    count[i] += mark[k];
//              ^^^^^^^ hint[WC101]! "up to 17 sectors"
    count[i] += swapped[k];
//              ^^^^^^^^^^ hint[WC101]! "up to 32 sectors"
}

// So are they where callers say how many.
__global__ void through_calls(const int *key, const int *start, int *count) {
    int i = blockIdx.x * 256 + threadIdx.x;
    count[i] = start[key[i]];
//             ^^^^^^^^^^^^^ none[WC101]
}

void build(const int *key, int *count, int buckets) {
    int *start;
    check(cudaMalloc((void **)&start, buckets * sizeof(int)));
    through_calls<<<64, 256>>>(key, start, count);
}

int main() {
    const int buckets = 5;
    int *key, *start, *count, *mark, *swapped, *other;
    cudaMalloc(&key, 65536);
    cudaMalloc(&count, 65536);
    cudaMalloc(&start, sizeof(int) * buckets);
    cudaMalloc(&mark, 512);
    cudaMalloc(&swapped, 64);
    cudaMalloc(&other, 1 << 20);
    std::swap(swapped, other);
    counted<<<64, 256>>>(key, start, count, mark, swapped);
    build(key, count, buckets);
}
