// The code itself tests the macro; names of the machine are taken.
// resources Z
// case Z*Z <= Z_max: CACHED=1
// case Z_max < Z*Z: CACHED=0
#define Z 16
#define CACHED 1
//@ launch block=(Z, Z) grid=(n / Z, n / Z)
__global__ void tested(int *out, const int *in, int n) {
    int x = blockIdx.x * Z + threadIdx.x, y = blockIdx.y * Z + threadIdx.y;
    if constexpr (CACHED) {
        __shared__ int tile[Z][Z];
        tile[threadIdx.y][threadIdx.x] = in[y * n + x];
        __syncthreads();
        out[y * n + x] = tile[threadIdx.y][Z - 1 - threadIdx.x];
    } else {
        out[y * n + x] = in[y * n + blockIdx.x * Z + Z - 1 - threadIdx.x];
    }
}
