// L2 joins volatile stores as it does others: four that fill a record fill its sectors together.

__global__ void charges(volatile float *out, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[4 * i + 0] = 1;
//  ^^^^^^^^^^^^^^ info[WC101] "16 sectors where 4 would do (4x). Neighbouring stores fill the rest of these sectors. With 3 more accesses to `out`: 80%"
    out[4 * i + 1] = x[i];
    out[4 * i + 2] = y[i];
    out[4 * i + 3] = x[i] * x[i] + y[i] * y[i];
}
