// Launches of which callers tell that they have hardly any warps: what their requests take longer is hidden by what they wait for.

struct Counts {
    int all, even, odd;
};

__global__ void counted_by_few(Counts *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i].all = 0;
//             ^^^^^^^^ info[WC101]! "12 sectors per request, ideal 4 (3.0x)"
}

__global__ void counted_by_many(Counts *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i].all = 0;
//             ^^^^^^^^ warn[WC101]! "12 sectors per request, ideal 4 (3.0x)"
}

// One of two runs has many.
__global__ void counted_by_some(Counts *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i].all = 0;
//             ^^^^^^^^ warn[WC101]! "12 sectors per request, ideal 4 (3.0x)"
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
