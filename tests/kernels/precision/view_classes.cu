// Views give cells that become what they stand for: a record, one of several overloads' parameters, one side of `?:`.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> struct Cell {
    __device__ Cell(int &owner, T *place) : owner_(owner), place_(place) {}
    __device__ Cell<T> operator=(T value) {
        *place_ = value;
        return *this;
    }
    __device__ operator T &() { return *place_; }
    __device__ operator const T &() const { return *place_; }
    int &owner_;
    T *const place_;
};

template <class T> struct View {
    T *data_;
    int pitch_;
    __device__ Cell<T> operator[](int i) { return Cell<T>(pitch_, data_ + pitch_ * i); }
};

template <class T> struct To {};
template <> struct To<float> {
    static __device__ float to(float value) { return value; }
    static __device__ float to(half value) { return __half2float(value); }
    static __device__ float to(__nv_bfloat16 value) { return __bfloat162float(value); }
};

//! block (64)
//! unknown none
__global__ void records(View<float4> in, float4 *out) {
    float4 value = in[0];
    out[2 * threadIdx.x] = value;
//  ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 16 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^ access bytes=16 worst=32 ideal=16 exact=true
}

// `__half` and `__nv_bfloat16` are classes: what a cell converts to is not converted once more.
//! block (64)
//! unknown none
__global__ void overloads(View<float> in, float *out) { out[8 * threadIdx.x] = To<float>::to(in[0]); }
//                                                      ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//                                                      ^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=32 ideal=4 exact=true

//! block (64)
//! unknown none
__global__ void sides(View<unsigned char> in, View<half> halves, int *out, int n) {
    out[8 * threadIdx.x] = n > 0 ? in[n] : 0;
//  ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=32 ideal=4 exact=true
    out[8 * threadIdx.x + 1] = n > 0 ? -1 : in[n];
    out[8 * threadIdx.x + 2] = (float)halves[n] > 0.5f;
}

//! block (64)
//! unknown none
__global__ void changed(View<float> cells, float *out) {
    cells[0] += 1;
    cells[1]++;
    out[8 * threadIdx.x] = cells[0];
//  ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
}

// A side that template arguments exclude is not read.
//! block (64)
//! unknown none
template <int WIDTH, bool CHECKED> __global__ void excluded(float *out, int n) {
    if (CHECKED && WIDTH > 4) {
        out[threadIdx.x] = absent::checked<WIDTH>(out, n);
    } else if (WIDTH == 2) {
        out[WIDTH * threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 4 would do (2x)"
//      ^^^^^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=8 ideal=4 exact=true
    } else {
        absent::Tile tile(out, n);
        tile.store();
    }
}

void host(View<float4> records_of, View<float> floats, View<unsigned char> bytes, View<half> halves, float *out, int n) {
    records<<<1, 64>>>(records_of, (float4 *)out);
    overloads<<<1, 64>>>(floats, out);
    sides<<<1, 64>>>(bytes, halves, (int *)out, n);
    changed<<<1, 64>>>(floats, out);
    excluded<2, false><<<1, 64>>>(out, n);
}
