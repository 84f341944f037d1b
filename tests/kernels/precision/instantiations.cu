// One line of a template, and a figure for each instantiation: the message says whose it is, and how far they go.

struct Two {
    float a, b;
};

struct __align__(8) TwoAligned {
    float a, b;
};

struct Four {
    float a, b, c, d;
};

template <class T>
__global__ void copy(T *to, const T *from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
      //^^^^^ hint[WC104]
//      ^^^^^ info[WC101] "16 sectors where 4 would do (4x). Neighbouring stores fill the rest of these sectors. With 3 more accesses to `to`: 50% of this kernel's global traffic. In `copy<Four>`, 8 to 16 in 2 of 3 instantiations"
}

template <int STRIDE>
__global__ void spread(float *to, const float *from) {
    __shared__ float tile[1024];
    int t = threadIdx.x;
    tile[t] = from[t];
    __syncthreads();
    to[t] = tile[STRIDE * t];
//          ^^^^^^^^^^^^^^^^ warn[WC201] "4-way, each request takes 4 wavefronts where 1 would do (4x). 80% of this kernel's shared-memory traffic. In `spread<4>`, alone of 2 instantiations"
}

// Where all pay the same, nothing is said of them.
template <class T>
__global__ void every(T *to, const T *from) {
    int i = blockIdx.x * 256 + threadIdx.x;
    to[i] = from[8 * i];
//          ^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). 89% of this kernel's global traffic"
}

void run(Two *two, TwoAligned *aligned, Four *four, float *x, int *k, int n) {
    copy<Two><<<64, 256>>>(two, two, n);
    copy<TwoAligned><<<64, 256>>>(aligned, aligned, n);
    copy<Four><<<64, 256>>>(four, four, n);
    spread<1><<<1, 256>>>(x, x);
    spread<4><<<1, 256>>>(x, x);
    every<float><<<64, 256>>>(x, x);
    every<int><<<64, 256>>>(k, k);
}

// A name that is bound nowhere is no function that happens to have it: the parameter takes a number.
int cells(const int *list);

template <int cells>
__global__ void few_cells(int *p, int row) {
    if (threadIdx.x < cells) p[cells * row + threadIdx.x] = 0;
    //                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
    //  ^^^^^^^^^^^^^^^^^^^ none[WC301]
}

template <int cells>
int clear_row(int *p) {
    few_cells<cells><<<1, 256>>>(p, 3);
    return 0;
}

template <int cells>
class Grid {
    int clear(int *p) { return clear_row<cells>(p); }
};

template int clear_row<2>(int *);

// Of more than eight the message says how many were looked at.
template <int STRIDE>
__global__ void many(float *to, const float *from) {
    to[threadIdx.x] = from[STRIDE * threadIdx.x];
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). 89% of this kernel's global traffic. In `many<8>`, 8 to 32 in 7 of the first 8 of 9 instantiations"
}

void all(float *x) {
    many<8><<<1, 256>>>(x, x);
    many<1><<<1, 256>>>(x, x);
    many<2><<<1, 256>>>(x, x);
    many<3><<<1, 256>>>(x, x);
    many<4><<<1, 256>>>(x, x);
    many<5><<<1, 256>>>(x, x);
    many<6><<<1, 256>>>(x, x);
    many<7><<<1, 256>>>(x, x);
    many<9><<<1, 256>>>(x, x);
}
