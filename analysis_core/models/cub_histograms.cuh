// Histograms of a block: by a sort, after which runs are told apart, or by atomic additions.
// Source: block_histogram.cuh and its specializations of CUB in the CUDA Core Compute Libraries 3.
namespace cub {
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
template <class T, int X, int ITEMS, int BINS, int Y, int Z> struct HistogramBySort {
  struct Discontinuities {
    typename BlockDiscontinuity<T, X, Y, Z>::TempStorage flag;
    unsigned run_begin[BINS];
    unsigned run_end[BINS];
  };
  union Type {
    typename BlockRadixSort<T, X, ITEMS, NullType, 4, true, BLOCK_SCAN_WARP_SCANS, cudaSharedMemBankSizeFourByte, Y, Z>::TempStorage sort;
    Discontinuities discontinuities;
  };
};
struct HistogramByAtomics { struct Type {}; };
template <class T, int X, int ITEMS, int BINS, int Y, int Z, int ALGORITHM> struct RoomOfHistogram : HistogramBySort<T, X, ITEMS, BINS, Y, Z> {};
template <class T, int X, int ITEMS, int BINS, int Y, int Z> struct RoomOfHistogram<T, X, ITEMS, BINS, Y, Z, 1> : HistogramByAtomics {};

template <class Room, class T> struct MarksRuns {
  Room &room;
  __device__ MarksRuns(Room &room) : room(room) {}
  __device__ bool operator()(const T &a, const T &b, int place) {
    if (a != b) {
      room.discontinuities.run_begin[b] = place;
      room.discontinuities.run_end[a] = place;
      return true;
    } else return false;
  }
};

template <class T, int X, int ITEMS, int BINS, BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int ARCH = 0>
class BlockHistogram {
  enum { THREADS = X * Y * Z, WHOLE = BINS / THREADS };
 public:
  typedef typename RoomOfHistogram<T, X, ITEMS, BINS, Y, Z, ALGORITHM>::Type TempStorage;
 private:
  TempStorage &storage;
  int tid;
  template <class Counter> __device__ void count(int bin, Counter *histogram) {
    Counter number = storage.discontinuities.run_end[bin] - storage.discontinuities.run_begin[bin];
    histogram[bin] += number;
  }
  __device__ void reset(int bin) {
    storage.discontinuities.run_begin[bin] = THREADS * ITEMS;
    storage.discontinuities.run_end[bin] = THREADS * ITEMS;
  }
  template <class Counter> __device__ void by_sort(T (&items)[ITEMS], Counter *histogram) {
    BlockRadixSort<T, X, ITEMS, NullType, 4, true, BLOCK_SCAN_WARP_SCANS, cudaSharedMemBankSizeFourByte, Y, Z>(storage.sort).Sort(items);
    __syncthreads();
    for (int i = 0; i < WHOLE; i++) reset(i * THREADS + tid);
    if (BINS % THREADS != 0 && WHOLE * THREADS + tid < BINS) reset(WHOLE * THREADS + tid);
    __syncthreads();
    int flags[ITEMS];
    MarksRuns<TempStorage, T> marks(storage);
    BlockDiscontinuity<T, X, Y, Z>(storage.discontinuities.flag).FlagHeads(flags, items, marks);
    if (tid == 0) storage.discontinuities.run_begin[items[0]] = 0;
    __syncthreads();
    for (int i = 0; i < WHOLE; i++) count(i * THREADS + tid, histogram);
    if (BINS % THREADS != 0 && WHOLE * THREADS + tid < BINS) count(WHOLE * THREADS + tid, histogram);
  }
 public:
  __device__ BlockHistogram(TempStorage &storage) : storage(storage), tid(RowMajorTid<X, Y, Z>()) {}
  template <class Counter> __device__ void InitHistogram(Counter histogram[BINS]) {
    for (int i = 0; i < WHOLE; i++) histogram[i * THREADS + tid] = 0;
    if (BINS % THREADS != 0 && WHOLE * THREADS + tid < BINS) histogram[WHOLE * THREADS + tid] = 0;
  }
  template <class Counter> __device__ void Composite(T (&items)[ITEMS], Counter histogram[BINS]) {
    if constexpr (ALGORITHM == BLOCK_HISTO_SORT) by_sort(items, histogram);
    else {
      for (int i = 0; i < ITEMS; i++) atomicAdd(histogram + items[i], 1);
    }
  }
  template <class Counter> __device__ void Histogram(T (&items)[ITEMS], Counter histogram[BINS]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
};
}
