// Lambdas that the host hands to kernels, and class templates that launch: what their launches say is known.

//! block (192)
template <class Body> __global__ void each(int n, Body body) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        body(i);
}

template <class Body> void run_each(int n, Body body) {
    each<<<(n + 191) / 192, 192>>>(n, body);
}

struct Row { float *cells; int pitch; };

void fill(Row row, short *flags, int n) {
    run_each(n, [=] __device__ (int i) {
        row.cells[2 * i] = 1.0f;
//      ^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 4 would do"
//      ^^^^^^^^^^^^^^^^ access! worst=8 ideal=4 bytes=4
    });
    const int step = 5;
    run_each(n, [flags] __device__ (int i) {
        flags[i * step] = 0;
//      ^^^^^^^^^^^^^^^ warn[WC101] "10 sectors where 2 would do"
//      ^^^^^^^^^^^^^^^ access! worst=10 ideal=2 bytes=2
    });
}

// Captures that are made where the lambda stands, a copy of the object, and lambdas that give references.
struct Table {
    double *cells;
    int width;
    void reset(int n) {
        run_each(n, [=, *this] __device__ (int i) {
            cells[i] = 0;
//          ^^^^^^^^ access! worst=8 ideal=8 bytes=8
        });
    }
};

void spread(short *flags, long long *sums, int n, int first) {
    run_each(n, [to = flags + 256, first] __device__ (auto i) {
        to[4 * i] = first;
//      ^^^^^^^^^ warn[WC101] "8 sectors where 2 would do"
//      ^^^^^^^^^ access! worst=8 ideal=2 bytes=2 rw=W
    });
    auto sum = [=] __device__ (int i) -> long long & { return sums[i]; };
    run_each(n, [=] __device__ (int i) {
        sum(i) = first;
//      ^^^^^^ access! worst=8 ideal=8 bytes=8 rw=W
    });
}

//! block (96)
template <class T> __global__ void clear(T *cells, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cells[i] = T();
//      ^^^^^^^^ access! worst=8 ideal=8 bytes=8
}

template <class T, int WIDTH> class Grid {
public:
    Grid(T *memory, int count) : cells(memory), size(count) { empty(); }

private:
    void empty() { clear<<<(size + WIDTH - 1) / WIDTH, WIDTH>>>(cells, size); }
    T *cells;
    int size;
};

struct Model {
    Grid<double, 96> pressure;
};

//! block (224)
__global__ void scale(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[3 * i] *= 2.0f;
//      ^^^^^^^^ warn[WC101] "12 sectors where 4 would do"
}

void scale_tensor(at::Tensor t, int n) {
    scale<<<(n + 223) / 224, 224>>>(t.mutable_data_ptr<float>(), n);
}
