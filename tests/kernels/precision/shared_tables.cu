// Tables in memory that all lanes of a warp read at one place.

// Extents and strides in memory, which all lanes share: what they make of the lane's number is arithmetic, and no scatter.
__global__ void transposed(double *p, double *q, double *r, const int *__restrict__ extent, const int *__restrict__ stride, const float *__restrict__ inverse, int rank, int size, int n) {
    for (int tile = blockIdx.x; tile < n; tile += gridDim.x) {
        int rest = tile, next = 0, first = 0;
        for (int j = 0; j < rank; j++) {
            next = rest * inverse[j];
            first += stride[j] * (rest - next * extent[j]);
            rest = next;
        }
        for (int i = threadIdx.x; i < size; i += blockDim.x) {
            rest = i;
            int at = 0;
            for (int j = 0; j < rank; j++) {
                next = rest * inverse[j];
                at += stride[j] * (rest - next * extent[j]);
                rest = next;
            }
            p[first + at] = 1;
//          ^^^^^^^^^^^^^ none[WC101]
            q[first + at] = r[first + at];
        }
    }
}

// The same with an index of the lane's own.
__global__ void transposed_by(double *p, double *q, double *r, const int *__restrict__ extent, const int *__restrict__ stride, const float *__restrict__ inverse, const int *__restrict__ from, int rank, int n) {
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) {
        int rest = from[i], at = 0;
        for (int j = 0; j < rank; j++) {
            int next = rest * inverse[j];
            at += stride[j] * (rest - next * extent[j]);
            rest = next;
        }
        p[at] = 1;
//      ^^^^^ hint[WC101]
        q[at] = r[at];
    }
}

// Lanes that part by contents of their own count on by themselves.
__global__ void counted_apart(const int *__restrict__ flags, double *p, double *q, double *r, const int *__restrict__ stride, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int at = 0, mine = flags[i];
    for (int j = 0; j < n; j++)
        if (mine >> j & 1) at += stride[j];
    p[at] = 1;
//  ^^^^^ hint[WC101]
    q[at] = r[at];
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int *extent, *stride, *from;
    float *inverse;
    double *out, *other, *more;
    transposed<<<n / 256, 256>>>(out, other, more, extent, stride, inverse, 3, 5863, n);
    transposed_by<<<n / 256, 256>>>(out, other, more, extent, stride, inverse, from, 3, n);
    counted_apart<<<n / 256, 256>>>(from, out, other, more, stride, 3);
}
