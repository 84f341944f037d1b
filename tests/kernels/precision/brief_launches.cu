// Launches of a few warps that do little: launching them takes longer, however often the program does, and findings are hints.

struct Counts {
    int all, even, odd;
};

__global__ void counted(Counts *c) {
    c[threadIdx.x].all = 0;
//  ^^^^^^^^^^^^^^^^^^ hint[WC101]! "12 sectors where 4 would do (3x)"
}

// In a loop each of them takes as long as a launch takes.
__global__ void counted_often(Counts *c) {
    c[threadIdx.x].all = 0;
//  ^^^^^^^^^^^^^^^^^^ hint[WC101]! "aunching it takes longer"
}

// 128 warps that make a request each.
__global__ void counted_by_many(Counts *c) {
    c[blockIdx.x * 256 + threadIdx.x].all = 0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "aunching it takes longer"
}

// Few that do it for long.
__global__ void counted_long(Counts *c) {
    for (int k = 0; k < 1000; k++) c[blockDim.x * k + threadIdx.x].all = 0;
//                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
}

int main() {
    Counts *c;
    cudaMalloc(&c, 4096 * sizeof(Counts));
    counted<<<1, 256>>>(c);
    counted_long<<<1, 256>>>(c);
    counted_by_many<<<16, 256>>>(c);
    for (int i = 0; i < 100; i++) counted_often<<<1, 256>>>(c);
}
