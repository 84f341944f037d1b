// Arrays that the host allocates with few bytes: lanes that pick elements of them are never further apart.

__global__ void counted(const int *key, const int *start, int *count, const int *mark, const int *swapped) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int k = key[i];
    count[i] = start[k];
//             ^^^^^^^^ none[WC101]
//             ^^^^^^^^ access! worst=32 ideal=4
    count[i] += mark[k];
//              ^^^^^^^ hint[WC101]! "up to 17 sectors per request"
    count[i] += swapped[k];
//              ^^^^^^^^^^ hint[WC101]! "up to 32 sectors per request"
}

__global__ void through_calls(const int *key, const int *start, int *count) {
    int i = blockIdx.x * 256 + threadIdx.x;
    count[i] = start[key[i]];
//             ^^^^^^^^^^^^^ none[WC101]
}

struct Domain {
    const int cells = 100 + 1;
    float *field;
};

Domain domain;

__global__ void handed_on(const int *key, const float *field, float *to) {
    int i = blockIdx.x * 256 + threadIdx.x;
    to[i] = field[key[i]];
//          ^^^^^^^^^^^^^ hint[WC101]! "up to 14 sectors per request"
}

__global__ void handed_others(const int *key, const float *field, float *to) {
    int i = blockIdx.x * 256 + threadIdx.x;
    to[i] = field[key[i]];
//          ^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors per request"
}

void hand_on(const int *key, float *field, float *to) { handed_on<<<64, 256>>>(key, field, to); }

void hand_others(const int *key, float *field, float *to) { handed_others<<<64, 256>>>(key, field, to); }

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
    float *field, *to, *large;
    check(cudaMalloc((void **)&field, domain.cells * sizeof(float)));
    cudaMalloc(&to, 65536);
    cudaMalloc(&large, 65536);
    hand_on(key, field, to);
    hand_others(key, field, to);
    hand_others(key, large, to);
}
