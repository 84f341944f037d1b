// All lanes are named, and half of them do not come.

__global__ void half_sums(int *a) {
    int v = a[threadIdx.x];
    if (threadIdx.x % 32 < 16) {
        v += __shfl_down_sync(0xffffffffu, v, 8);
        //   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC406] "This shuffle names all lanes of the warp, but lanes 16 to 31 do not come here"
        if (__any_sync(0xffffffffu, v > 5)) v = 5;
        //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC406] "This vote names all lanes of the warp, but lanes 16 to 31 do not come here"
        a[threadIdx.x] = v;
    }
}

void run_half_sums(int *a) {
    half_sums<<<1, 256>>>(a);
}

// Whole warps come, or the others have returned, or a mask names those that come.

__global__ void named_well(int *a) {
    int v = a[threadIdx.x];
    if (threadIdx.x / 32 == 1) v += __shfl_down_sync(0xffffffffu, v, 8);
    //                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC406]
    if (threadIdx.x % 32 < 16) v += __shfl_down_sync(0x0000ffffu, v, 8);
    //                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC406]
    a[threadIdx.x] = v;
    if (threadIdx.x % 32 >= 16) return;
    v += __shfl_xor_sync(0xffffffffu, v, 1);
    //   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC406]
    a[threadIdx.x] = v;
}

void run_named_well(int *a) {
    named_well<<<1, 256>>>(a);
}

// Which lanes are here is asked of no others.
__global__ void lanes_here(unsigned *a) {
    unsigned m;
    if (threadIdx.x % 32 < 5) {
        asm volatile("activemask.b32 %0;" : "=r"(m));
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC406]
        a[threadIdx.x] = m;
    }
}

void run_lanes_here(unsigned *a) {
    lanes_here<<<1, 64>>>(a);
}
