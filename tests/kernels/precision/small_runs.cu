// Launches of which callers tell how many warps they have: few of them, a request each, take no longer than launching does.

struct Counts {
    int all, even, odd;
};

__global__ void counted_by_few(Counts *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i].all = 0;
//             ^^^^^^^^ hint[WC101]! "aunching it takes longer"
}

__global__ void counted_by_many(Counts *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i].all = 0;
//             ^^^^^^^^ hint[WC101]! "aunching it takes longer"
}

// One of two launches has 256 warps, which make as many requests.
__global__ void counted_by_some(Counts *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i].all = 0;
//             ^^^^^^^^ hint[WC101]! "aunching it takes longer"
}

void run(Counts *c, int few, int many, int rounds) {
    for (int i = 0; i < rounds; i++) {
        counted_by_few<<<(few + 255) / 256, 256>>>(c, few);
        counted_by_many<<<(many + 255) / 256, 256>>>(c, many);
        counted_by_some<<<(few + 255) / 256, 256>>>(c, few);
        counted_by_some<<<(many + 255) / 256, 256>>>(c, many);
    }
}

int main() {
    Counts *c;
    cudaMalloc(&c, 8192 * sizeof(Counts));
    run(c, 200, 8192, 100);
}
