// Loops of the host that go round equally often: what stands in one of them is light beside what stands in another.

#define PART (1024 * 1024)

struct Pair {
    float first, second;
};

// A request for each power of two in a part, and each thread takes at most one part.
__global__ void mark_parts(char *memory, unsigned long bytes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long parts = bytes / PART;
    for (int part = i; part < parts; part += gridDim.x * blockDim.x) {
        char *first = memory + (unsigned long)part * PART;
        for (unsigned int bit = 8; bit < PART; bit <<= 1) *(unsigned long *)(first + bit) = bit;
//                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "`fill` does 910 times as much"
    }
}

// All of them clear a pair here and there: few rounds, but of all.
__global__ void clear_some(Pair *pairs, unsigned long bytes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = i; k < bytes / (128 * sizeof(Pair)); k += gridDim.x * blockDim.x) pairs[k].first = 0;
//                                                                                 ^^^^^^^^^^^^^^ info[WC101]! "8 sectors where 4 would do (2x)"
}

// Who is launched another number of times may be what takes the time.
__global__ void clear_often(Pair *pairs, unsigned long bytes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = i; k < bytes / (128 * sizeof(Pair)); k += gridDim.x * blockDim.x) pairs[k].first = 0;
//                                                                                 ^^^^^^^^^^^^^^ warn[WC101]! "8 sectors where 4 would do (2x)"
}

// The whole memory.
__global__ void fill(unsigned long *memory, unsigned long bytes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = i; k < bytes / sizeof(unsigned long); k += gridDim.x * blockDim.x) memory[k] = k;
}

int main(int argc, char **argv) {
    int repeat = atoi(argv[1]), often = atoi(argv[2]);
    unsigned long bytes = 8 * 1024 * 1024 * 1024UL;
    char *memory;
    cudaMalloc((void **)&memory, bytes);
    for (int i = 0; i < repeat; i++) mark_parts<<<1024, 64>>>(memory, bytes);
    for (int i = 0; i < repeat; i++) clear_some<<<1024, 64>>>((Pair *)memory, bytes);
    for (int i = 0; i < often; i++) clear_often<<<1024, 64>>>((Pair *)memory, bytes);
    for (int i = 0; i < repeat; i++) fill<<<1024, 64>>>((unsigned long *)memory, bytes);
}
