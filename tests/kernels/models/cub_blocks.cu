// Block and warp primitives of CUB, whose header is not here: their models, in CUDA C++, cost what CUB's own algorithms do.
#include <cub/cub.cuh>

// 8 warps: a byte for each, padded to a float's alignment, one float for each, and a prefix: 8 + 32 + 4 bytes.
//! unknown none
//! bound conflicts "0" exact
//! bound divergences "3" exact
__global__ void sums(float *out, const float *in, char *c) {
    typedef cub::BlockReduce<float, 256> Reduce;
    __shared__ typename Reduce::TempStorage temp;
    float s = Reduce(temp).Sum(in[blockIdx.x * 256 + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = s;
    c[(sizeof(Reduce::TempStorage) == 44) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 pattern=coalesced
}

// Four items of a thread lie behind each other: 512 bytes of a warp for each of the four loads.
//! unknown none
__global__ void direct(float *out, const float *in) {
    using Load = cub::BlockLoad<float, 128, 4>;
    __shared__ Load::TempStorage temp;
    float items[4];
    Load(temp).Load(in + blockIdx.x * 512, items);
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC104]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=4 worst=16 best=16 ideal=4
    out[blockIdx.x * 128 + threadIdx.x] = items[0] + items[1] + items[2] + items[3];
}

// Loaded side by side, exchanged within the warp: 4 words apart, 4 lanes share a bank.  Shared memory: 512 floats.
//! unknown none
__global__ void transposed(float *out, const float *in, int n, char *c) {
    using Load = cub::BlockLoad<float, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Store = cub::BlockStore<float, 128, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    __shared__ union { typename Load::TempStorage load; typename Store::TempStorage store; } temp;
    float items[4];
    Load(temp.load).Load(in + blockIdx.x * 512, items, n, 0.0f);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=4 worst=4 ideal=4
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=shared rw=W bytes=4 worst=1 best=1
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=shared rw=R bytes=4 worst=4 best=4
    __syncthreads();
    Store(temp.store).Store(out + blockIdx.x * 512, items, n);
    c[sizeof(temp) / 128 * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 1 would do"
}

// Eight items are padded: one word more after each 32, so that 8 lanes of 32 do not meet in a bank as they would.
//! unknown none
__global__ void padded(float *out, const float *in) {
    using Load = cub::BlockLoad<float, 64, 8, cub::BLOCK_LOAD_TRANSPOSE>;
    __shared__ Load::TempStorage temp;
    float items[8];
    Load(temp).Load(in + blockIdx.x * 512, items);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=shared rw=W bytes=4 worst=1 best=1
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=shared rw=R bytes=4 worst=1 best=1
    out[blockIdx.x * 64 + threadIdx.x] = items[0] + items[7];
}

// Nothing but shuffles.
//! unknown none
//! bound sectors "5" exact
__global__ void warps(int *out, const int *in) {
    __shared__ cub::WarpReduce<int>::TempStorage temp[4];
    int most = cub::WarpReduce<int>(temp[threadIdx.x / 32]).Reduce(in[threadIdx.x], cub::Max());
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = most;
}

void run(float *out, const float *in, char *c, int *a, const int *b, int n) {
    sums<<<64, 256>>>(out, in, c);
    direct<<<64, 128>>>(out, in);
    transposed<<<64, 128>>>(out, in, n, c);
    padded<<<64, 64>>>(out, in);
    warps<<<64, 128>>>(a, b);
}

// Operations of other libraries as objects.
//! unknown none
__global__ void greatest(float *out, const float *in) {
    typedef cub::BlockReduce<float, 256> Reduce;
    __shared__ typename Reduce::TempStorage temp;
    float most = Reduce(temp).Reduce(in[blockIdx.x * 256 + threadIdx.x], cuda::maximum<>{});
    if (threadIdx.x == 0) out[blockIdx.x] = most;
    out[thrust::maximum<int>()(2, 4) * threadIdx.x] = std::plus<float>()(most, 1.0f);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 4 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=W bytes=4 worst=16 best=16
}
