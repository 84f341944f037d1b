// `typedef` behind its type, names of functions as text, results of `decltype(auto)`, traps, and template arguments of the wrong kind.

struct
{
    int first, length;
}
typedef Range;

struct __align__(16) { float x, y, z; } typedef Point;
int typedef Count;

//! block (64)
//! unknown none
__global__ void late(const Range *ranges, Point *points, Count n) {
    points[threadIdx.x].x = ranges[n].length;
//  ^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 4 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=16 ideal=4 exact=true
}

//! block (64)
//! unknown none
__global__ void named(float *out, int n) {
    if (threadIdx.x >= 64) {
        __assert_fail("threadIdx.x < 64", __FILE__, __LINE__, __PRETTY_FUNCTION__);
        asm volatile("trap;");
    }
    out[2 * threadIdx.x] = __func__[0];
//  ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 4 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=8 ideal=4 exact=true
}

struct Rows {
    float *data;
    int pitch;
    __device__ float &at(int i) const { return data[pitch * i]; }
    __device__ decltype(auto) operator[](int i) const { return at(i); }
    __device__ decltype(auto) width() const { return pitch; }
};

//! block (64)
//! unknown none
__global__ void deduced(Rows rows) {
    rows[threadIdx.x] = rows.width();
//  ^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^ access bytes=4 worst=32 ideal=4
}

enum class Op { Add, Max };
template <Op OP, class T> __device__ T start() { return OP == Op::Add ? 0 : -1; }
template <Op OP, class T> __device__ void start(T *data) { data[0] = start<OP, T>(); }
template <Op A, Op B, class T> __device__ void start(T *data) {
    data[0] = start<A, T>();
    data[1] = start<B, T>();
}

//! block (64)
//! unknown none
template <Op... OPS> __global__ void several(float *out) {
    float values[2];
    start<OPS...>(values);
    out[sizeof...(OPS) * threadIdx.x] = values[0];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 4 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=8 ideal=4 exact=true
}

void host(const Range *ranges, Point *points, Rows rows, float *out, int n) {
    late<<<1, 64>>>(ranges, points, n);
    named<<<1, 64>>>(out, n);
    deduced<<<1, 64>>>(rows);
    several<Op::Add, Op::Max><<<1, 64>>>(out);
}
