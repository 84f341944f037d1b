// Loops over objects that have begin() and end(): what they cost is what a counted loop costs.

class Range {
  public:
    class Iterator {
      public:
        __device__ long operator*() const { return i_; }
        __device__ const Iterator &operator++() { i_ += step_; return *this; }
        __device__ bool operator!=(const Iterator &other) const { return i_ < other.i_; }
        __device__ Iterator(long start, long step) : i_(start), step_(step) {}

      private:
        long i_, step_;
    };
    __device__ Iterator begin() const { return begin_; }
    __device__ Iterator end() const { return end_; }
    __device__ Range(long begin, long end, long step) : begin_(begin, step), end_(end, step) {}

  private:
    Iterator begin_, end_;
};

template <typename T> __device__ Range grid_stride(T begin, T end) {
    begin += blockDim.x * blockIdx.x + threadIdx.x;
    return Range(begin, end, gridDim.x * blockDim.x);
}

//! unknown none
__global__ void strided(float *out, const float *in, long n) {
    for (auto i : grid_stride(0L, n)) out[i] = in[8 * i];
//                                    ^^^^^^ access! worst=4 rw=W
//                                             ^^^^^^^^^ access! worst=32 rw=R
//                                             ^^^^^^^^^ warn[WC101]
}

struct Span {
    float *data;
    int size;
    __device__ float *begin() const { return data; }
    __device__ float *end() const { return data + size; }
};

//! unknown none
__global__ void by_reference(float *out, int n) {
    Span span{out + 64 * threadIdx.x, n};
    for (float &x : span) x = 1.0f;
//                        ^ access! worst=32 rw=W
//                        ^ warn[WC101]
}

void run(float *out, const float *in, long n) {
    strided<<<64, 256>>>(out, in, n);
    by_reference<<<1, 32>>>(out, n);
}
