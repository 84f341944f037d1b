// Classes inside of class templates: each instance has its own, by whatever way they are named.

template <int ROWS> struct Loop {
    struct Tile {
        float cells[ROWS][8];
    };
    struct Params {
        const float *from;
        int pitch;
    };
    __device__ void operator()(Params const &params, Tile &tile, int lane) {
        tile.cells[lane][0] = params.from[lane * params.pitch];
//      ^^^^^^^^^^^^^^^^^^^ access space=shared worst=8 ideal=1 exact=true
//      ^^^^^^^^^^^^^^^^^^^ info[WC201] "8-way"
//                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors"
        __syncthreads();
    }
};

template <class Main, int THREADS> struct Whole {
    static constexpr int threads = THREADS;
    using Stage = typename Main::Tile;
    struct Params {
        typename Main::Params part;
        double *out;
        struct Ends {
            int low, high;
        } ends;
    };
    union Shared {
        Stage tile;
        int unused;
    };
    __device__ static int first(typename Params::Ends const &ends) { return ends.low; }
    __device__ void operator()(Params const &params, Shared &shared) {
        Main part;
        part(params.part, shared.tile, threadIdx.x);
        params.out[2 * threadIdx.x + 2 * first(params.ends)] = shared.tile.cells[0][threadIdx.x % 8];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access bytes=8 worst=17 ideal=8
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "17 sectors"
    }
};

//! block (128)
//! unknown none
template <class Op> __global__ void run_all(typename Op::Params params) {
    extern __shared__ int memory[];
    auto *shared = reinterpret_cast<typename Op::Shared *>(memory);
    Op op;
    op(params, *shared);
}

template <class Op> void start(typename Op::Params const &params) {
    run_all<Op><<<1, Op::threads, sizeof(typename Op::Shared)>>>(params);
}

void host(double *out, const float *from, int pitch) {
    using Small = Whole<Loop<128>, 128>;
    start<Small>(typename Small::Params{{from, pitch}, out, {0, 1}});
    using Large = Whole<Loop<256>, 128>;
    Large::Params large{{from, pitch}, out, {2, 3}};
    start<Large>(large);
}
