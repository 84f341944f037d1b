// Rows that begin within a sector have one too many at their ends, which their neighbours need: no line, where a size may make it fewer.

// Two rows of sixteen floats, behind a border of one.
//@ launch block=(16, 16)
__global__ void within_border(float *rows, int width) {
    int x = threadIdx.x + 1, y = blockIdx.y * 16 + threadIdx.y + 1;
    rows[y * (width + 1) + x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 ideal=4
}

// Four rows of eight doubles.
//@ launch block=(8, 16)
__global__ void of_eight(double *rows, int width) {
    rows[(threadIdx.y + 1) * (width + 1) + threadIdx.x + 1] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 ideal=8
}

// Four rows of eight floats, each of which lies in two sectors: twice what they need.
//@ launch block=(8, 16)
__global__ void narrow(float *rows, int width) {
    rows[(threadIdx.y + 1) * (width + 1) + threadIdx.x + 1] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 8 sectors where 4 would do (2x)"
}

// Two of every three elements: as much too many, but nobody needs what lies between.
//@ launch block=(256)
__global__ void two_of_three(float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[i + i / 2];
//           ^^^^^^^^^^^^^ info[WC101] "6 sectors where 4 would do (1.50x)"
}

// A pitch that is a number, at which all rows begin within a sector.
//@ launch block=(8, 16)
__global__ void pitch_of_a_number(double *rows) {
    rows[threadIdx.y * 1028 + threadIdx.x + 1] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "12 sectors where 8 would do (1.50x)"
}
