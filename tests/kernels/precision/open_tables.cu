// Looking for a key in a table with free slots takes a round or two: what is loaded before the loop has its share by that.

__device__ unsigned mixed(unsigned key) {
    key ^= key >> 15;
    key *= 0x2c1b3c6d;
    key ^= key >> 12;
    return key;
}

//@ launch block=(256)
__global__ void put(const unsigned *records, unsigned *keys, unsigned slots, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned key = records[i * 8];
//                 ^^^^^^^^^^^^^^ warn[WC101]! "32 sectors" "33% of this kernel's global traffic, assuming 2 iterations of the loop at line 16"
    unsigned slot = mixed(key) % slots;
    while (true) {
        unsigned old = atomicCAS(&keys[slot], 0xffffffffu, key);
//                                ^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x). Runs once per iteration of the loop at line 16. Up to 67"
        if (old == 0xffffffffu || old == key)
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data)"
            break;
        slot = (slot + 1) % slots;
    }
}

// Set back to the first slot in another way, and a test in the head of the loop.
//@ launch block=(256)
__global__ void look_up(const unsigned *records, const unsigned *keys, unsigned *places, int slots) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned key = records[i * 8];
//                 ^^^^^^^^^^^^^^ info[WC101]! "32 sectors" ", assuming 2 iterations of the loop at line 33"
    int slot = mixed(key) & (slots - 1);
    while (keys[slot] != key)
//         ^^^^^^^^^^ info[WC101]
        slot = slot + 1 == slots ? 0 : slot + 1;
    places[i] = slot;
}

// All around, for the sum until a mark: nobody knows how far that is.
//@ launch block=(256)
__global__ void until_marked(const unsigned *records, const unsigned *ring, unsigned *sums, int slots) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mark = records[i * 8];
    int slot = mixed(mark) % slots;
    unsigned sum = 0;
    while (ring[slot] != mark) {
//         ^^^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data: `records[i * 8]`)"
//         ^^^^^^^^^^ info[WC101] ", assuming 32 iterations of the loop at line 46"
        sum += ring[slot];
        slot = (slot + 1) % slots;
    }
    sums[i] = sum;
}

// A list that is gone through from its head: as long as any.
//@ launch block=(256)
__global__ void in_a_list(const unsigned *records, const unsigned *list, unsigned *places) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned key = records[i * 8];
    int at = i * 64;
    while (list[at] != key)
//         ^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data: `records[i * 8]`)"
//         ^^^^^^^^ warn[WC101] ", assuming 32 iterations of the loop at line 61"
        at = at + 1;
    places[i] = at;
}
