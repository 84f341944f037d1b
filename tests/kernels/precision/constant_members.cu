// Sizes that are members of a class, constant and of the same number in each object.

struct Layout {
    const unsigned int fields = 5;
    unsigned int rows = 3;
};

__global__ void of_fields(float *out, const float *points, int fields) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = points[fields * i];
//           ^^^^^^^^^^^^^^^^^^ warn[WC101] "20 sectors where 4 would do (5x)"
}

// This one may change.
__global__ void of_rows(float *out, const float *points, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = points[rows * i];
//           ^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors"
}

void launch(float *out, const float *points, int fields, int rows, int n) {
    of_fields<<<n / 256, 256>>>(out, points, fields);
    of_rows<<<n / 256, 256>>>(out, points, rows);
}

void run(const Layout &layout, float *out, const float *points, int n) {
    launch(out, points, layout.fields, layout.rows, n);
}
