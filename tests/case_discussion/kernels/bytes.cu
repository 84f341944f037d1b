// Bytes are rounded up to words, and a macro that the grid does not rest on stays what it is.
// resources Z
// case (3*B*COPIES + 3) // 4 <= Z: as it is
// case Z < (3*B*COPIES + 3) // 4: no Z
#define B 32
#define COPIES 2
//@ launch block=B grid=(n / B)
__global__ void bytes(unsigned char *out, const unsigned char *in, int n) {
    __shared__ unsigned char copy[COPIES][B][3];
    for (int k = 0; k < COPIES; k++)
        for (int c = 0; c < 3; c++) copy[k][threadIdx.x][c] = in[3 * (blockIdx.x * B + threadIdx.x) + c];
    __syncthreads();
    for (int c = 0; c < 3; c++) out[3 * (blockIdx.x * B + threadIdx.x) + c] = copy[COPIES - 1][B - 1 - threadIdx.x][c];
}
