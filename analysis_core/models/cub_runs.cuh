// Where runs of equal items begin and end, and items of runs that are given by their lengths.
// Source: block_discontinuity.cuh and block_run_length_decode.cuh of CUB in the CUDA Core Compute Libraries 3.
namespace cub {
struct Equality { template <class T> __device__ bool operator()(const T &a, const T &b) const { return a == b; } };
struct Inequality { template <class T> __device__ bool operator()(const T &a, const T &b) const { return a != b; } };

template <class T, int X, int Y = 1, int Z = 1, int ARCH = 0> class BlockDiscontinuity {
  enum { THREADS = X * Y * Z };
 public:
  struct TempStorage {
    T first_items[THREADS];
    T last_items[THREADS];
  };
 private:
  TempStorage &storage;
  int tid;
  // An operator may take the place of its second item beside both.
  template <class Op> static __device__ auto asked(Op op, const T &a, const T &b, int place, int) -> decltype(op(a, b, place)) { return op(a, b, place); }
  template <class Op> static __device__ auto asked(Op op, const T &a, const T &b, int place, long) -> decltype(op(a, b)) { return op(a, b); }
  template <class Op> static __device__ bool differ(Op op, const T &a, const T &b, int place) { return asked(op, a, b, place, 0); }
  template <int N, class Flag, class Op> __device__ void heads_within(Flag (&flags)[N], T (&items)[N], T (&before)[N], Op op) {
    for (int i = 1; i < N; i++) {
      before[i] = items[i - 1];
      flags[i] = differ(op, before[i], items[i], tid * N + i);
    }
  }
  template <int N, class Flag, class Op> __device__ void tails_within(Flag (&flags)[N], T (&items)[N], Op op) {
    for (int i = 0; i < N - 1; i++) flags[i] = differ(op, items[i], items[i + 1], tid * N + i + 1);
  }
  template <int N, class Flag, class Op> __device__ void first_head(Flag (&flags)[N], T (&items)[N], T (&before)[N], Op op) {
    if (tid == 0) flags[0] = 1;
    else {
      before[0] = storage.last_items[tid - 1];
      flags[0] = differ(op, before[0], items[0], tid * N);
    }
  }
  template <int N, class Flag, class Op> __device__ void first_head(Flag (&flags)[N], T (&items)[N], T (&before)[N], Op op, T previous) {
    before[0] = tid == 0 ? previous : storage.last_items[tid - 1];
    flags[0] = differ(op, before[0], items[0], tid * N);
  }
  template <int N, class Flag, class Op> __device__ void last_tail(Flag (&flags)[N], T (&items)[N], Op op) {
    flags[N - 1] = tid == THREADS - 1 ? 1 : differ(op, items[N - 1], storage.first_items[tid + 1], tid * N + N);
  }
  template <int N, class Flag, class Op> __device__ void last_tail(Flag (&flags)[N], T (&items)[N], Op op, T next) {
    T following = tid == THREADS - 1 ? next : storage.first_items[tid + 1];
    flags[N - 1] = differ(op, items[N - 1], following, tid * N + N);
  }
  template <int N> __device__ void leave_both(T (&items)[N]) {
    storage.first_items[tid] = items[0];
    storage.last_items[tid] = items[N - 1];
    __syncthreads();
  }
  template <int N> __device__ void leave_last(T (&items)[N]) {
    storage.last_items[tid] = items[N - 1];
    __syncthreads();
  }
  template <int N> __device__ void leave_first(T (&items)[N]) {
    storage.first_items[tid] = items[0];
    __syncthreads();
  }
 public:
  __device__ BlockDiscontinuity(TempStorage &storage) : storage(storage), tid(RowMajorTid<X, Y, Z>()) {}
  template <int N, class Flag, class Op> __device__ void FlagHeads(Flag (&heads)[N], T (&items)[N], T (&before)[N], Op op) {
    leave_last(items);
    first_head(heads, items, before, op);
    heads_within(heads, items, before, op);
  }
  template <int N, class Flag, class Op> __device__ void FlagHeads(Flag (&heads)[N], T (&items)[N], T (&before)[N], Op op, T previous) {
    leave_last(items);
    first_head(heads, items, before, op, previous);
    heads_within(heads, items, before, op);
  }
  template <int N, class Flag, class Op> __device__ void FlagHeads(Flag (&heads)[N], T (&items)[N], Op op) {
    T before[N];
    FlagHeads(heads, items, before, op);
  }
  template <int N, class Flag, class Op> __device__ void FlagHeads(Flag (&heads)[N], T (&items)[N], Op op, T previous) {
    T before[N];
    FlagHeads(heads, items, before, op, previous);
  }
  template <int N, class Flag, class Op> __device__ void FlagTails(Flag (&tails)[N], T (&items)[N], Op op) {
    leave_first(items);
    last_tail(tails, items, op);
    tails_within(tails, items, op);
  }
  template <int N, class Flag, class Op> __device__ void FlagTails(Flag (&tails)[N], T (&items)[N], Op op, T next) {
    leave_first(items);
    last_tail(tails, items, op, next);
    tails_within(tails, items, op);
  }
  template <int N, class Flag, class Op> __device__ void within(Flag (&heads)[N], Flag (&tails)[N], T (&items)[N], T (&before)[N], Op op) {
    heads_within(heads, items, before, op);
    tails_within(tails, items, op);
  }
  template <int N, class Flag, class Op> __device__ void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T (&items)[N], Op op) {
    T before[N];
    leave_both(items);
    first_head(heads, items, before, op);
    last_tail(tails, items, op);
    within(heads, tails, items, before, op);
  }
  template <int N, class Flag, class Op> __device__ void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T next, T (&items)[N], Op op) {
    T before[N];
    leave_both(items);
    first_head(heads, items, before, op);
    last_tail(tails, items, op, next);
    within(heads, tails, items, before, op);
  }
  template <int N, class Flag, class Op> __device__ void FlagHeadsAndTails(Flag (&heads)[N], T previous, Flag (&tails)[N], T (&items)[N], Op op) {
    T before[N];
    leave_both(items);
    first_head(heads, items, before, op, previous);
    last_tail(tails, items, op);
    within(heads, tails, items, before, op);
  }
  template <int N, class Flag, class Op>
  __device__ void FlagHeadsAndTails(Flag (&heads)[N], T previous, Flag (&tails)[N], T next, T (&items)[N], Op op) {
    T before[N];
    leave_both(items);
    first_head(heads, items, before, op, previous);
    last_tail(tails, items, op, next);
    within(heads, tails, items, before, op);
  }
};

// Each thread finds the run of its first item by a binary search among the offsets of all runs of the block, and walks on from there.
template <class T, int X, int RUNS, int DECODED, class Offset = unsigned, int Y = 1, int Z = 1> class BlockRunLengthDecode {
  enum { THREADS = X * Y * Z, OF_BLOCK = THREADS * RUNS };
  typedef BlockScan<Offset, X, BLOCK_SCAN_RAKING_MEMOIZE, Y, Z> Scan;
  struct Runs {
    T run_values[OF_BLOCK];
    Offset run_offsets[OF_BLOCK];
  };
 public:
  union TempStorage {
    typename Scan::TempStorage offset_scan;
    Runs runs;
  };
 private:
  TempStorage &storage;
  unsigned tid;
  template <class At> __device__ void leave(T (&values)[RUNS], At (&offsets)[RUNS]) {
    for (int i = 0; i < RUNS; i++) {
      storage.runs.run_values[tid * RUNS + i] = values[i];
      storage.runs.run_offsets[tid * RUNS + i] = offsets[i];
    }
    __syncthreads();
  }
  __device__ unsigned run_of(Offset place) {
    unsigned lower = 0, upper = OF_BLOCK;
    for (int left = 2 * OF_BLOCK - 1; left > 0; left /= 2) {
      unsigned middle = min(lower + (upper - lower) / 2, (unsigned)OF_BLOCK - 1);
      if (place < storage.runs.run_offsets[middle]) upper = middle;
      else lower = middle + 1;
    }
    return lower - 1;
  }
  __device__ Offset end_of(unsigned run, Offset place) { return run == OF_BLOCK - 1 ? place + DECODED : storage.runs.run_offsets[run + 1]; }
 public:
  template <class Length, class Size>
  __device__ BlockRunLengthDecode(TempStorage &storage, T (&values)[RUNS], Length (&lengths)[RUNS], Size &size)
      : storage(storage), tid(RowMajorTid<X, Y, Z>()) {
    Offset offsets[RUNS], all;
    for (int i = 0; i < RUNS; i++) offsets[i] = lengths[i];
    Scan(storage.offset_scan).ExclusiveSum(offsets, offsets, all);
    size = all;
    __syncthreads();
    leave(values, offsets);
  }
  template <class At> __device__ BlockRunLengthDecode(TempStorage &storage, T (&values)[RUNS], At (&offsets)[RUNS])
      : storage(storage), tid(RowMajorTid<X, Y, Z>()) {
    leave(values, offsets);
  }
  template <class At> __device__ void RunLengthDecode(T (&decoded)[DECODED], At (&places)[DECODED], Offset from = 0) {
    Offset place = from + tid * DECODED;
    unsigned run = run_of(place);
    Offset begin = storage.runs.run_offsets[run], end = end_of(run, place);
    T value = storage.runs.run_values[run];
    for (int i = 0; i < DECODED; i++) {
      decoded[i] = value;
      places[i] = place - begin;
      if (i + 1 < DECODED && place == end - 1) {
        run++;
        begin = storage.runs.run_offsets[run];
        end = end_of(run, place);
        value = storage.runs.run_values[run];
      }
      place++;
    }
  }
  __device__ void RunLengthDecode(T (&decoded)[DECODED], Offset from = 0) {
    Offset places[DECODED];
    RunLengthDecode(decoded, places, from);
  }
};
}
