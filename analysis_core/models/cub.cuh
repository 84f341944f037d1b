// Block and warp primitives of CUB: the algorithms that its documentation describes, with the memory that they take.
// Source: the reference of CUB in the CUDA Core Compute Libraries 2 (nvidia.github.io/cccl/cub), "Implementations can provide ...".
namespace cub {
struct NullType {};
struct Sum { template <class T> __device__ T operator()(const T &a, const T &b) const { return a + b; } };
struct Max { template <class T> __device__ T operator()(const T &a, const T &b) const { return b > a ? b : a; } };
struct Min { template <class T> __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <class K, class V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  __device__ KeyValuePair() {}
  __device__ KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
};
struct ArgMax {
  template <class T> __device__ T operator()(const T &a, const T &b) const {
    return (b.value > a.value) || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class T> __device__ T operator()(const T &a, const T &b) const {
    return (b.value < a.value) || (b.value == a.value && b.key < a.key) ? b : a;
  }
};

__device__ inline unsigned LaneId() { unsigned lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); return lane; }
template <int X, int Y, int Z> __device__ int RowMajorTid() {
  int tid = threadIdx.x;
  if (Y > 1) tid += threadIdx.y * X;
  if (Z > 1) tid += threadIdx.z * X * Y;
  return tid;
}
template <int WIDTH, class T> __device__ T ShuffleIndex(T value, int lane, unsigned mask) { return __shfl_sync(mask, value, lane, WIDTH); }
template <int WIDTH, class T> __device__ T ShuffleUp(T value, int by, int first, unsigned mask) { return __shfl_up_sync(mask, value, by, WIDTH); }
template <int WIDTH, class T> __device__ T ShuffleDown(T value, int by, int last, unsigned mask) { return __shfl_down_sync(mask, value, by, WIDTH); }

// Room of a warp: none where its threads are a power of two, which exchange by shuffles; else that of 1.5 warps, with a flag for each where it reduces.
template <class T, int WIDTH, bool SHUFFLES, bool FLAGS> struct WarpRoom { char unused; };
template <class T, int WIDTH> struct WarpRoom<T, WIDTH, false, false> {
  T room[WIDTH + (WIDTH > 16 ? 16 : WIDTH > 8 ? 8 : WIDTH > 4 ? 4 : 2)];
};
template <class T, int WIDTH> struct WarpRoom<T, WIDTH, false, true> {
  T room[WIDTH + (WIDTH > 16 ? 16 : WIDTH > 8 ? 8 : WIDTH > 4 ? 4 : 2)];
  unsigned char flags[WIDTH + (WIDTH > 16 ? 16 : WIDTH > 8 ? 8 : WIDTH > 4 ? 4 : 2)];
};
template <int WIDTH> constexpr bool by_shuffles = (WIDTH & (WIDTH - 1)) == 0;
// By memory, sums of numbers start with zeros before the first lane, and those of integers take off again what their lane gave.
template <class Op> constexpr bool sums = std::is_same<Op, cub::Sum>::value;
// Exchanges by memory are volatile in several releases: words of 8 bytes at most, which the stores of a wider vector would not count.
template <class T> __device__ inline void by_words() {
  if constexpr (alignof(T) > 8) warpcost::opaque("vectors of 16 bytes are exchanged by shared memory word by word");
}

// A reduction: log2(WIDTH) steps by shuffles, or each by a store and a load of shared memory (warp_reduce_smem.cuh).
template <class T, int WIDTH = 32, int ARCH = 0> class WarpReduce {
 public:
  struct TempStorage : WarpRoom<T, WIDTH, (WIDTH & (WIDTH - 1)) == 0, true> {};
 private:
  TempStorage &storage;
  template <class Op> __device__ T by_memory(T input, Op op, int valid) {
    int lane = LaneId() % WIDTH;
    by_words<T>();
    for (int by = 1; by < WIDTH; by *= 2) {
      storage.room[lane] = input;
      __syncwarp();
      if (lane + by < valid) input = op(input, storage.room[lane + by]);
      __syncwarp();
    }
    return input;
  }
 public:
  __device__ WarpReduce(TempStorage &storage) : storage(storage) {}
  template <class Op> __device__ T Reduce(T input, Op op, int valid) {
    if constexpr (!by_shuffles<WIDTH>) return by_memory(input, op, valid);
    else return shuffled(input, op, valid);
  }
  template <class Op> __device__ T shuffled(T input, Op op, int valid) {
    int lane = LaneId() & (WIDTH - 1);
    for (int by = 1; by < WIDTH; by *= 2) {
      T other = __shfl_down_sync(0xffffffff, input, by, WIDTH);
      T both = op(input, other);
      input = lane + by < valid ? both : input;
    }
    return input;
  }
  template <class Op> __device__ T Reduce(T input, Op op) { return Reduce(input, op, WIDTH); }
  __device__ T Sum(T input) { return Reduce(input, cub::Sum(), WIDTH); }
  __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
};

// A scan (Kogge-Stone): log2(WIDTH) steps by shuffles, or each by a store and a load of shared memory (warp_scan_smem.cuh).
template <class T, int WIDTH = 32, int ARCH = 0> class WarpScan {
  int lane;
 public:
  struct TempStorage : WarpRoom<T, WIDTH, (WIDTH & (WIDTH - 1)) == 0, false> {};
 private:
  TempStorage &storage;
  enum { FRONT = WIDTH > 16 ? 16 : WIDTH > 8 ? 8 : WIDTH > 4 ? 4 : 2 };
  __device__ void leave(T value) {
    storage.room[FRONT + lane] = value;
    __syncwarp();
  }
  template <class Op> __device__ T before(T input, T inclusive) {
    if constexpr (by_shuffles<WIDTH>) return __shfl_up_sync(0xffffffff, inclusive, 1, WIDTH);
    else if constexpr (sums<Op> && std::is_integral<T>::value) return inclusive - input;
    else {
      leave(inclusive);
      return storage.room[FRONT + lane - 1];
    }
  }
 public:
  __device__ WarpScan(TempStorage &storage) : storage(storage), lane(LaneId() % WIDTH) {}
  template <class Op> __device__ void InclusiveScan(T input, T &output, Op op) {
    T value = input;
    if constexpr (by_shuffles<WIDTH>) {
      for (int by = 1; by < WIDTH; by *= 2) {
        T other = __shfl_up_sync(0xffffffff, value, by, WIDTH);
        T both = op(other, value);
        value = lane >= by ? both : value;
      }
    } else {
      by_words<T>();
      if constexpr (sums<Op> && !std::is_arithmetic<T>::value) warpcost::opaque("whether zeros stand before sums of this type");
      if constexpr (sums<Op>) {
        storage.room[lane] = T();
        __syncwarp();
      }
      for (int by = 1; by < WIDTH; by *= 2) {
        leave(value);
        if (sums<Op> || lane >= by) value = op(storage.room[FRONT + lane - by], value);
        __syncwarp();
      }
    }
    output = value;
  }
  template <class Op> __device__ void InclusiveScan(T input, T &output, Op op, T &aggregate) {
    T value;
    InclusiveScan(input, value, op);
    if constexpr (by_shuffles<WIDTH>) aggregate = __shfl_sync(0xffffffff, value, WIDTH - 1, WIDTH);
    else {
      leave(value);
      aggregate = storage.room[FRONT + WIDTH - 1];
      __syncwarp();
    }
    output = value;
  }
  template <class Op> __device__ void Scan(T input, T &inclusive, T &exclusive, Op op) {
    T value;
    InclusiveScan(input, value, op);
    exclusive = before<Op>(input, value);
    inclusive = value;
  }
  template <class Op> __device__ void ExclusiveScan(T input, T &output, Op op) {
    T value;
    Scan(input, value, output, op);
  }
  template <class Op> __device__ void ExclusiveScan(T input, T &output, T initial, Op op) {
    T value;
    InclusiveScan(input, value, op);
    value = op(initial, value);
    T exclusive = before<Op>(input, value);
    if constexpr (by_shuffles<WIDTH>) output = lane == 0 ? initial : exclusive;
    else {
      if (!(sums<Op> && std::is_integral<T>::value) && lane == 0) exclusive = initial;
      output = exclusive;
    }
  }
  template <class Op> __device__ void ExclusiveScan(T input, T &output, Op op, T &aggregate) {
    T value;
    InclusiveScan(input, value, op);
    if constexpr (by_shuffles<WIDTH>) {
      aggregate = __shfl_sync(0xffffffff, value, WIDTH - 1, WIDTH);
      output = before<Op>(input, value);
    } else {
      leave(value);
      T exclusive = value - input;
      if constexpr (!(sums<Op> && std::is_integral<T>::value)) exclusive = storage.room[FRONT + lane - 1];
      aggregate = storage.room[FRONT + WIDTH - 1];
      output = exclusive;
    }
  }
  template <class Op> __device__ void ExclusiveScan(T input, T &output, T initial, Op op, T &aggregate) {
    T value;
    InclusiveScan(input, value, op);
    T seeded = op(initial, value);
    if constexpr (by_shuffles<WIDTH>) {
      aggregate = __shfl_sync(0xffffffff, value, WIDTH - 1, WIDTH);
      T exclusive = before<Op>(input, seeded);
      output = lane == 0 ? initial : exclusive;
    } else {
      leave(value);
      aggregate = storage.room[FRONT + WIDTH - 1];
      __syncwarp();
      storage.room[FRONT + lane - 1] = seeded;
      __syncwarp();
      T exclusive = storage.room[FRONT + lane - 2];
      if (lane == 0) exclusive = initial;
      output = exclusive;
    }
  }
  __device__ void InclusiveSum(T input, T &output) { InclusiveScan(input, output, cub::Sum()); }
  __device__ void InclusiveSum(T input, T &output, T &aggregate) { InclusiveScan(input, output, cub::Sum(), aggregate); }
  __device__ void ExclusiveSum(T input, T &output) { ExclusiveScan(input, output, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T input, T &output, T &aggregate) { ExclusiveScan(input, output, T(), cub::Sum(), aggregate); }
  __device__ T Broadcast(T input, unsigned from) {
    if constexpr (by_shuffles<WIDTH>) return __shfl_sync(0xffffffff, input, from, WIDTH);
    else {
      by_words<T>();
      if (lane == from) storage.room[0] = input;
      __syncwarp();
      return storage.room[0];
    }
  }
};

// Where all leave their items, of which at most a warp's threads rake a piece each (block_raking_layout.cuh).
template <class T, int THREADS> struct BlockRakingLayout {
  enum {
    LANES = THREADS < 32 ? THREADS : 32, PIECE = (THREADS + LANES - 1) / LANES, RAKING = (THREADS + PIECE - 1) / PIECE,
    PADDING = PIECE % 2 == 0 && PIECE > 2 ? 1 : 0, COUNT = RAKING * (PIECE + PADDING),
  };
  struct alignas(16) TempStorage { T buffer[COUNT]; };
  static __device__ T *PlacementPtr(TempStorage &storage, unsigned tid) { return storage.buffer + (PADDING ? tid + tid / PIECE : tid); }
  static __device__ T *RakingPtr(TempStorage &storage, unsigned tid) { return storage.buffer + tid * (PIECE + PADDING); }
};

// A scan over a block: raking (one warp scans the pieces), or each warp by shuffles.
template <class T, int THREADS, bool BY_WARPS> struct ScanStorage {
  typename WarpScan<T, BlockRakingLayout<T, THREADS>::RAKING>::TempStorage warp;
  typename BlockRakingLayout<T, THREADS>::TempStorage grid;
  T aggregate;
};
template <class T, int WARPS> struct ScanParts {
  T aggregates[WARPS];
  typename WarpScan<T>::TempStorage warps[WARPS];
  T prefix;
};
template <int N> struct Rest { char rest[N]; };
template <> struct Rest<0> {};
template <class T, int THREADS>
struct alignas(16) ScanStorage<T, THREADS, true> : ScanParts<T, THREADS / 32>, Rest<(32 - sizeof(ScanParts<T, THREADS / 32>) % 32) % 32> {};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
template <class T, int X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int ARCH = 0> class BlockScan {
  enum { THREADS = X * Y * Z, WARPS = (THREADS + 31) / 32, BY_WARPS = ALGORITHM == BLOCK_SCAN_WARP_SCANS && THREADS % 32 == 0 };
  typedef BlockRakingLayout<T, THREADS> Layout;
  enum { PIECE = Layout::PIECE, RAKING = Layout::RAKING };
 public:
  struct TempStorage : ScanStorage<T, THREADS, BY_WARPS> {};
 private:
  TempStorage &storage;
  int tid;

  // The scan of one item for each thread; `aggregate` becomes that of the block, in all threads, where it is asked for.
  template <bool INCLUSIVE, bool TOTAL, class Op> __device__ T by_warps(T input, T initial, bool seeded, Op op, T &aggregate) {
    int warp = WARPS == 1 ? 0 : tid / 32, lane = tid % 32;
    T inclusive, exclusive;
    WarpScan<T>(storage.warps[warp]).Scan(input, inclusive, exclusive, op);
    if (lane == 31) storage.aggregates[warp] = inclusive;
    __syncthreads();
    T sum = storage.aggregates[0], before = initial;
    bool any = seeded;
    for (int i = 1; i < WARPS; i++) {
      T both = op(initial, sum);
      before = warp == i ? (seeded ? both : sum) : before;
      any = any || warp == i;
      sum = op(sum, storage.aggregates[i]);
    }
    aggregate = sum;
    T value = INCLUSIVE ? inclusive : exclusive;
    T both = op(before, value);
    if (!INCLUSIVE) return lane == 0 ? before : any ? both : value;
    return any ? both : value;
  }
  template <class Op> __device__ T upsweep(T (&items)[PIECE], Op op) {
    T *piece = Layout::RakingPtr(storage.grid, tid);
    if constexpr (THREADS % PIECE != 0 && (RAKING % 8 == 1 || sizeof(T) > 8)) {
      warpcost::opaque("the last of the threads that rake copies places that nobody wrote, in banks that others may not use");
    }
    for (int i = 0; i < PIECE; i++) {
      if (THREADS % PIECE == 0 || tid * PIECE + i < THREADS) items[i] = piece[i];
    }
    T partial = items[0];
    for (int i = 1; i < PIECE; i++) {
      if (THREADS % PIECE == 0 || tid * PIECE + i < THREADS) partial = op(partial, items[i]);
    }
    return partial;
  }
  template <bool INCLUSIVE, class Op> __device__ void downsweep(T (&items)[PIECE], T running, bool seeded, Op op) {
    T *piece = Layout::RakingPtr(storage.grid, tid);
    if (ALGORITHM != BLOCK_SCAN_RAKING_MEMOIZE) {
      for (int i = 0; i < PIECE; i++) {
        if (THREADS % PIECE == 0 || tid * PIECE + i < THREADS) items[i] = piece[i];
      }
    }
    for (int i = 0; i < PIECE; i++) {
      if (THREADS % PIECE == 0 || tid * PIECE + i < THREADS) {
        T both = op(running, items[i]);
        T next = tid == 0 && i == 0 && !seeded ? items[i] : both;
        piece[i] = INCLUSIVE ? next : running;
        running = next;
      }
    }
  }
  template <bool INCLUSIVE, bool TOTAL, class Op> __device__ T by_raking(T input, T initial, bool seeded, Op op, T &aggregate) {
    if constexpr (PIECE == 1) return by_the_warp<INCLUSIVE, TOTAL>(input, initial, seeded, op, aggregate);
    T *place = Layout::PlacementPtr(storage.grid, tid);
    *place = input;
    __syncthreads();
    if (tid < RAKING) {
      T items[PIECE];
      T partial = upsweep(items, op), all, before;
      WarpScan<T, RAKING> warp(storage.warp);
      if (seeded && TOTAL) warp.ExclusiveScan(partial, before, initial, op, all);
      else if (seeded) warp.ExclusiveScan(partial, before, initial, op);
      else warp.Scan(partial, all, before, op);
      downsweep<INCLUSIVE>(items, before, seeded, op);
      if (TOTAL && tid == (seeded ? 0 : RAKING - 1)) storage.aggregate = all;
    }
    __syncthreads();
    if (TOTAL) aggregate = storage.aggregate;
    return *place;
  }
  // What stands before the block is what a functor makes of the block's total in the first warp.
  template <bool INCLUSIVE, class Op, class Before> __device__ T behind(T input, Op op, Before &functor) {
    T all, output;
    if constexpr (BY_WARPS) {
      output = by_warps<INCLUSIVE, true>(input, input, false, op, all);
      if (tid < 32) {
        T prefix = functor(all);
        if (tid == 0) {
          storage.prefix = prefix;
          output = INCLUSIVE ? output : prefix;
        }
      }
      __syncthreads();
      T both = op(storage.prefix, output);
      return INCLUSIVE || tid > 0 ? both : output;
    } else if constexpr (PIECE == 1) {
      output = by_the_warp<INCLUSIVE, true>(input, input, false, op, all);
      T prefix = WarpScan<T, THREADS>(storage.warp).Broadcast(functor(all), 0);
      T both = op(prefix, output);
      return !INCLUSIVE && tid == 0 ? prefix : both;
    } else {
      T *place = Layout::PlacementPtr(storage.grid, tid);
      *place = input;
      __syncthreads();
      if (tid < RAKING) {
        T items[PIECE];
        T partial = upsweep(items, op), before;
        WarpScan<T, RAKING> warp(storage.warp);
        warp.ExclusiveScan(partial, before, op, all);
        T prefix = warp.Broadcast(functor(all), 0);
        T both = op(prefix, before);
        downsweep<INCLUSIVE>(items, tid == 0 ? prefix : both, true, op);
      }
      __syncthreads();
      return *place;
    }
  }
  // Blocks of at most a warp leave nothing in shared memory but what their warp needs, and have no barrier.
  template <bool INCLUSIVE, bool TOTAL, class Op> __device__ T by_the_warp(T input, T initial, bool seeded, Op op, T &aggregate) {
    WarpScan<T, THREADS> warp(storage.warp);
    T output;
    if (INCLUSIVE && TOTAL) warp.InclusiveScan(input, output, op, aggregate);
    else if (INCLUSIVE) warp.InclusiveScan(input, output, op);
    else if (seeded && TOTAL) warp.ExclusiveScan(input, output, initial, op, aggregate);
    else if (seeded) warp.ExclusiveScan(input, output, initial, op);
    else if (TOTAL) warp.ExclusiveScan(input, output, op, aggregate);
    else warp.ExclusiveScan(input, output, op);
    return output;
  }
  template <bool INCLUSIVE, bool TOTAL, class Op> __device__ T scan(T input, T initial, bool seeded, Op op, T &aggregate) {
    if constexpr (BY_WARPS) return by_warps<INCLUSIVE, TOTAL>(input, initial, seeded, op, aggregate);
    else return by_raking<INCLUSIVE, TOTAL>(input, initial, seeded, op, aggregate);
  }
  // The scan of several items for each thread: of their sums, then of the items of each thread.
  template <bool INCLUSIVE, bool TOTAL, int N, class Op>
  __device__ void scan_items(T (&input)[N], T (&output)[N], T initial, bool seeded, Op op, T &aggregate) {
    T partial = input[0];
    for (int i = 1; i < N; i++) partial = op(partial, input[i]);
    each<INCLUSIVE>(input, output, scan<false, TOTAL>(partial, initial, seeded, op, aggregate), seeded, op);
  }
  template <bool INCLUSIVE, int N, class Op> __device__ void each(T (&input)[N], T (&output)[N], T running, bool seeded, Op op) {
    for (int i = 0; i < N; i++) {
      T both = op(running, input[i]);
      T next = tid == 0 && i == 0 && !seeded ? input[i] : both;
      output[i] = INCLUSIVE ? next : running;
      running = next;
    }
  }
 public:
  __device__ BlockScan(TempStorage &storage) : storage(storage), tid(RowMajorTid<X, Y, Z>()) {}
  template <class Op> __device__ void InclusiveScan(T input, T &output, Op op) { T all; output = scan<true, false>(input, input, false, op, all); }
  template <class Op> __device__ void InclusiveScan(T input, T &output, Op op, T &all) { output = scan<true, true>(input, input, false, op, all); }
  template <class Op> __device__ void ExclusiveScan(T input, T &output, Op op) { T all; output = scan<false, false>(input, input, false, op, all); }
  template <class Op> __device__ void ExclusiveScan(T input, T &output, T initial, Op op) { T all; output = scan<false, false>(input, initial, true, op, all); }
  template <class Op> __device__ void ExclusiveScan(T input, T &output, T initial, Op op, T &all) { output = scan<false, true>(input, initial, true, op, all); }
  __device__ void InclusiveSum(T input, T &output) { InclusiveScan(input, output, cub::Sum()); }
  __device__ void InclusiveSum(T input, T &output, T &all) { InclusiveScan(input, output, cub::Sum(), all); }
  __device__ void ExclusiveSum(T input, T &output) { ExclusiveScan(input, output, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T input, T &output, T &all) { ExclusiveScan(input, output, T(), cub::Sum(), all); }
  template <int N, class Op> __device__ void InclusiveScan(T (&input)[N], T (&output)[N], Op op) { T all; scan_items<true, false>(input, output, input[0], false, op, all); }
  template <int N, class Op> __device__ void InclusiveScan(T (&input)[N], T (&output)[N], Op op, T &all) { scan_items<true, true>(input, output, input[0], false, op, all); }
  template <int N, class Op> __device__ void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op) { T all; scan_items<false, false>(input, output, initial, true, op, all); }
  template <int N, class Op> __device__ void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op, T &all) { scan_items<false, true>(input, output, initial, true, op, all); }
  template <class Op, class F> __device__ void InclusiveScan(T input, T &output, Op op, F &before) { output = behind<true>(input, op, before); }
  template <class Op, class F> __device__ void ExclusiveScan(T input, T &output, Op op, F &before) { output = behind<false>(input, op, before); }
  template <class F> __device__ void InclusiveSum(T input, T &output, F &before) { output = behind<true>(input, cub::Sum(), before); }
  template <class F> __device__ void ExclusiveSum(T input, T &output, F &before) { output = behind<false>(input, cub::Sum(), before); }
  template <bool INCLUSIVE, int N, class Op, class F> __device__ void items_behind(T (&input)[N], T (&output)[N], Op op, F &before) {
    T partial = input[0];
    for (int i = 1; i < N; i++) partial = op(partial, input[i]);
    each<INCLUSIVE>(input, output, behind<false>(partial, op, before), true, op);
  }
  template <int N, class Op, class F> __device__ void InclusiveScan(T (&input)[N], T (&output)[N], Op op, F &before) { items_behind<true>(input, output, op, before); }
  template <int N, class Op, class F> __device__ void ExclusiveScan(T (&input)[N], T (&output)[N], Op op, F &before) { items_behind<false>(input, output, op, before); }
  template <int N, class F> __device__ void InclusiveSum(T (&input)[N], T (&output)[N], F &before) { items_behind<true>(input, output, cub::Sum(), before); }
  template <int N, class F> __device__ void ExclusiveSum(T (&input)[N], T (&output)[N], F &before) { items_behind<false>(input, output, cub::Sum(), before); }
  template <int N> __device__ void InclusiveSum(T (&input)[N], T (&output)[N]) { InclusiveScan(input, output, cub::Sum()); }
  template <int N> __device__ void InclusiveSum(T (&input)[N], T (&output)[N], T &all) { InclusiveScan(input, output, cub::Sum(), all); }
  template <int N> __device__ void ExclusiveSum(T (&input)[N], T (&output)[N]) { ExclusiveScan(input, output, T(), cub::Sum()); }
  template <int N> __device__ void ExclusiveSum(T (&input)[N], T (&output)[N], T &all) { ExclusiveScan(input, output, T(), cub::Sum(), all); }
};

// Each warp reduces by shuffles; its first lane leaves the result in shared memory; thread 0 puts those of the warps together.  Or they rake.
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
template <class T, int WARPS, int WIDTH> struct ReduceStorage {
  typename WarpReduce<T, WIDTH>::TempStorage warps[WARPS];
  T aggregates[WARPS];
  T prefix;
};
template <class T, int THREADS> struct RakingStorage {
  typedef typename WarpReduce<T, BlockRakingLayout<T, THREADS>::RAKING>::TempStorage Warp;
  typedef typename BlockRakingLayout<T, THREADS>::TempStorage Grid;
  enum { OF_GRID = sizeof(T) * BlockRakingLayout<T, THREADS>::COUNT, BYTES = OF_GRID > sizeof(Warp) ? OF_GRID : sizeof(Warp) };
  alignas(16) char room[BYTES];
};
template <class T, int SHARING> struct SharedByOthers {
  typename WarpReduce<T, 32>::TempStorage warp;
  typename BlockRakingLayout<T, SHARING>::TempStorage grid;
};
template <class A, class B, bool FIRST> struct Either { typedef A Type; };
template <class A, class B> struct Either<A, B, false> { typedef B Type; };
template <class T, int THREADS> struct SharingStorage {  // the larger one of both ways, of which only one is taken
  enum { SHARING = THREADS > 32 ? THREADS - 32 : 1 };
  typedef SharedByOthers<T, SHARING> Own;
  typedef RakingStorage<T, THREADS> Fallback;
  static constexpr bool LARGER = sizeof(Own) > sizeof(Fallback);
  typedef typename Either<Own, Fallback, LARGER>::Type Type;
};
template <class T, int WARPS, int WIDTH, int THREADS, int ALGORITHM> struct RoomOfReduce { typedef ReduceStorage<T, WARPS, WIDTH> Type; };
template <class T, int WARPS, int WIDTH, int THREADS> struct RoomOfReduce<T, WARPS, WIDTH, THREADS, 0> { typedef typename SharingStorage<T, THREADS>::Type Type; };
template <class T, int WARPS, int WIDTH, int THREADS> struct RoomOfReduce<T, WARPS, WIDTH, THREADS, 1> { typedef RakingStorage<T, THREADS> Type; };
template <class T, int X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int ARCH = 0>
class BlockReduce {
  enum { THREADS = X * Y * Z, WARPS = (THREADS + 31) / 32, WIDTH = THREADS < 32 ? THREADS : 32 };
 public:
  struct TempStorage : RoomOfReduce<T, WARPS, WIDTH, THREADS, ALGORITHM>::Type {};
 private:
  TempStorage &storage;
  int tid;
 public:
  __device__ BlockReduce(TempStorage &storage) : storage(storage), tid(RowMajorTid<X, Y, Z>()) {}
  template <class Op> __device__ T Reduce(T input, Op op, int given) {
    int valid = given < THREADS ? given : THREADS;
    if constexpr (ALGORITHM == BLOCK_REDUCE_WARP_REDUCTIONS) return by_warps(input, op, valid);
    else if constexpr (ALGORITHM == BLOCK_REDUCE_RAKING || THREADS <= 32 || THREADS % 32 != 0) return by_raking(input, op, valid);
    else return valid == THREADS ? sharing(input, op) : by_raking(input, op, valid);
  }
  // All leave their items in shared memory; each of at most one warp's threads reduces a piece of them (block_reduce_raking.cuh).
  template <class Op> __device__ T by_raking(T input, Op op, int valid) {
    typedef BlockRakingLayout<T, THREADS> Layout;
    enum { PIECE = Layout::PIECE, RAKING = Layout::RAKING };
    typename Layout::TempStorage &grid = *(typename Layout::TempStorage *)&storage;
    typename RakingStorage<T, THREADS>::Warp &warp = *(typename RakingStorage<T, THREADS>::Warp *)&storage;
    if constexpr (PIECE == 1) return WarpReduce<T, RAKING>(warp).Reduce(input, op, valid);
    else {
      *Layout::PlacementPtr(grid, tid) = input;
      __syncthreads();
      if (tid < RAKING) {
        T *piece = Layout::RakingPtr(grid, tid);
        input = piece[0];
        for (int i = 1; i < PIECE; i++) {
          if (tid * PIECE + i < valid) input = op(input, piece[i]);
        }
        __syncwarp();
        input = WarpReduce<T, RAKING>(warp).Reduce(input, op, (valid + PIECE - 1) / PIECE);
      }
      return input;
    }
  }
  // The first warp keeps its items and reduces those of all others (block_reduce_raking_commutative_only.cuh).
  template <class Op> __device__ T sharing(T input, Op op) {
    typedef BlockRakingLayout<T, THREADS - 32> Layout;
    SharedByOthers<T, THREADS - 32> &own = *(SharedByOthers<T, THREADS - 32> *)&storage;
    if (tid >= 32) *Layout::PlacementPtr(own.grid, tid - 32) = input;
    __syncthreads();
    if (tid < 32) {
      for (int i = 0; i < Layout::PIECE; i++) input = op(input, Layout::RakingPtr(own.grid, tid)[i]);
      input = WarpReduce<T, 32>(own.warp).Reduce(input, op, 32);
    }
    return input;
  }
  template <class Op> __device__ T by_warps(T input, Op op, int valid) {
    int warp = WARPS == 1 ? 0 : tid / 32;
    int lane = tid % 32;
    if constexpr (!by_shuffles<WIDTH>) input = WarpReduce<T, WIDTH>(storage.warps[0]).Reduce(input, op, valid);
    else {
      for (int by = 1; by < 32; by *= 2) {
        T other = __shfl_down_sync(0xffffffff, input, by);
        T both = op(input, other);
        input = (lane + by < 32 && tid + by < valid) ? both : input;
      }
    }
    if (lane == 0) storage.aggregates[warp] = input;
    __syncthreads();
    if (tid == 0) {
      for (int i = 1; i < WARPS; i++) {
        if (i * 32 < valid) input = op(input, storage.aggregates[i]);
      }
    }
    return input;
  }
  template <class Op> __device__ T Reduce(T input, Op op) { return Reduce(input, op, THREADS); }
  template <int ITEMS, class Op> __device__ T Reduce(T (&items)[ITEMS], Op op) {
    T partial = items[0];
    for (int i = 1; i < ITEMS; i++) partial = op(partial, items[i]);
    return Reduce(partial, op, THREADS);
  }
  __device__ T Sum(T input) { return Reduce(input, cub::Sum(), THREADS); }
  __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
  template <int ITEMS> __device__ T Sum(T (&items)[ITEMS]) { return Reduce(items, cub::Sum()); }
};

// Items change owners by way of shared memory: with one word more after each 32 where a thread owns 8 or more items (a power of two).
template <class T, int X, int ITEMS, bool TIME_SLICED = false, int Y = 1, int Z = 1, int ARCH = 0> class BlockExchange {
  enum {
    THREADS = X * Y * Z, WARPS = (THREADS + 31) / 32, WIDTH = THREADS < 32 ? THREADS : 32,
    PADDED = ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0,
    PADDING = PADDED ? THREADS * ITEMS / 32 : 0,
  };
 public:
  struct alignas(16) TempStorage { T buffer[THREADS * ITEMS + PADDING]; };
 private:
  TempStorage &storage;
  int tid;
  __device__ int at(int place) { return PADDED ? place + (place >> 5) : place; }
  __device__ int warps() { return (WARPS == 1 ? 0 : tid / 32) * (WIDTH * ITEMS); }
  __device__ int lane() { return WARPS == 1 ? tid : tid % 32; }
 public:
  __device__ BlockExchange(TempStorage &storage) : storage(storage), tid(RowMajorTid<X, Y, Z>()) {}
  template <class O> __device__ void StripedToBlocked(const T (&input)[ITEMS], O (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) storage.buffer[at(i * THREADS + tid)] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) output[i] = storage.buffer[at(tid * ITEMS + i)];
  }
  template <class O> __device__ void BlockedToStriped(const T (&input)[ITEMS], O (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) storage.buffer[at(tid * ITEMS + i)] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) output[i] = storage.buffer[at(i * THREADS + tid)];
  }
  template <class O> __device__ void WarpStripedToBlocked(const T (&input)[ITEMS], O (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) storage.buffer[at(warps() + i * WIDTH + lane())] = input[i];
    __syncwarp();
    for (int i = 0; i < ITEMS; i++) output[i] = storage.buffer[at(warps() + lane() * ITEMS + i)];
  }
  template <class O> __device__ void BlockedToWarpStriped(const T (&input)[ITEMS], O (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) storage.buffer[at(warps() + lane() * ITEMS + i)] = input[i];
    __syncwarp();
    for (int i = 0; i < ITEMS; i++) output[i] = storage.buffer[at(warps() + i * WIDTH + lane())];
  }
  template <class O, class Rank> __device__ void ScatterToBlocked(const T (&input)[ITEMS], O (&output)[ITEMS], Rank (&ranks)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) storage.buffer[at(ranks[i])] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) output[i] = storage.buffer[at(tid * ITEMS + i)];
  }
  template <class O, class Rank> __device__ void ScatterToStriped(const T (&input)[ITEMS], O (&output)[ITEMS], Rank (&ranks)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) storage.buffer[at(ranks[i])] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) output[i] = storage.buffer[at(i * THREADS + tid)];
  }
  __device__ void StripedToBlocked(T (&items)[ITEMS]) { StripedToBlocked(items, items); }
  __device__ void BlockedToStriped(T (&items)[ITEMS]) { BlockedToStriped(items, items); }
  __device__ void WarpStripedToBlocked(T (&items)[ITEMS]) { WarpStripedToBlocked(items, items); }
  __device__ void BlockedToWarpStriped(T (&items)[ITEMS]) { BlockedToWarpStriped(items, items); }
};

// Where the items of a thread lie: behind each other (blocked), or one block or one warp apart (striped).
template <class T, int X, int ITEMS, int Y = 1, int Z = 1> struct Arrangement {
  enum { THREADS = X * Y * Z, WARPS = (THREADS + 31) / 32, WIDTH = THREADS < 32 ? THREADS : 32 };
  int tid;
  __device__ Arrangement() : tid(RowMajorTid<X, Y, Z>()) {}
  __device__ int blocked(int i) { return tid * ITEMS + i; }
  __device__ int striped(int i) { return i * THREADS + tid; }
  __device__ int warp_striped(int i) {
    return (WARPS == 1 ? 0 : tid / 32) * (WIDTH * ITEMS) + i * WIDTH + (WARPS == 1 ? tid : tid % 32);
  }
};

template <class T, int X, int ITEMS, int Y, int Z, bool NEEDED> struct ExchangeStorage { typedef NullType Type; };
template <class T, int X, int ITEMS, int Y, int Z> struct ExchangeStorage<T, X, ITEMS, Y, Z, true> {
  typedef typename BlockExchange<T, X, ITEMS, false, Y, Z>::TempStorage Type;
};
template <class T, int N> struct Vector;
template <class T> struct Vector<T, 1> { T x; };
template <class T> struct alignas(2 * sizeof(T)) Vector<T, 2> { T x, y; };
template <class T> struct alignas(4 * sizeof(T)) Vector<T, 4> { T x, y, z, w; };

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
template <class T, int X, int ITEMS, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int ARCH = 0> class BlockLoad {
  typedef BlockExchange<T, X, ITEMS, false, Y, Z> Exchange;
  enum { TRANSPOSES = ALGORITHM == BLOCK_LOAD_TRANSPOSE || ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE, WIDE = ITEMS % 4 == 0 ? 4 : ITEMS == 2 ? 2 : 1 };
 public:
  struct TempStorage : ExchangeStorage<T, X, ITEMS, Y, Z, TRANSPOSES>::Type {};
 private:
  TempStorage &storage;
  Arrangement<T, X, ITEMS, Y, Z> place;
  template <class It> __device__ void guarded(It from, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++) {
      int at;
      if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED || ALGORITHM == BLOCK_LOAD_TRANSPOSE) at = place.striped(i);
      else if constexpr (ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE) at = place.warp_striped(i);
      else at = place.blocked(i);
      if (at < valid) items[i] = from[at];
    }
    exchange(items);
  }
  __device__ void exchange(T (&items)[ITEMS]) {
    if constexpr (ALGORITHM == BLOCK_LOAD_TRANSPOSE) Exchange(storage).StripedToBlocked(items, items);
    if constexpr (ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE) Exchange(storage).WarpStripedToBlocked(items, items);
  }
 public:
  __device__ BlockLoad(TempStorage &storage) : storage(storage) {}
  template <class It> __device__ void Load(It from, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) {
      if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED || ALGORITHM == BLOCK_LOAD_TRANSPOSE) items[i] = from[place.striped(i)];
      else if constexpr (ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE) items[i] = from[place.warp_striped(i)];
      else items[i] = from[place.blocked(i)];
    }
    exchange(items);
  }
  template <class It> __device__ void Load(It from, T (&items)[ITEMS], int valid) { guarded(from, items, valid); }
  template <class It, class D> __device__ void Load(It from, T (&items)[ITEMS], int valid, D otherwise) {
    for (int i = 0; i < ITEMS; i++) items[i] = otherwise;
    guarded(from, items, valid);
  }
};

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
struct ValidItems { volatile int valid; };
template <class T, int X, int ITEMS, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int ARCH = 0> class BlockStore {
  typedef BlockExchange<T, X, ITEMS, false, Y, Z> Exchange;
  enum { TRANSPOSES = ALGORITHM == BLOCK_STORE_TRANSPOSE || ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE };
  template <bool NEEDED, class Base> struct Storage : Base {};
  template <class Base> struct Storage<true, Base> : Base { volatile int valid; };
 public:
  struct TempStorage : Storage<TRANSPOSES, typename ExchangeStorage<T, X, ITEMS, Y, Z, TRANSPOSES>::Type> {};
 private:
  TempStorage &storage;
  Arrangement<T, X, ITEMS, Y, Z> place;
  __device__ int at(int i) {
    if constexpr (ALGORITHM == BLOCK_STORE_STRIPED || ALGORITHM == BLOCK_STORE_TRANSPOSE) return place.striped(i);
    else if constexpr (ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE) return place.warp_striped(i);
    else return place.blocked(i);
  }
  __device__ void exchange(T (&items)[ITEMS]) {
    if constexpr (ALGORITHM == BLOCK_STORE_TRANSPOSE) Exchange(storage).BlockedToStriped(items, items);
    if constexpr (ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE) Exchange(storage).BlockedToWarpStriped(items, items);
  }
 public:
  __device__ BlockStore(TempStorage &storage) : storage(storage) {}
  template <class It> __device__ void Store(It to, T (&items)[ITEMS]) {
    exchange(items);
    for (int i = 0; i < ITEMS; i++) to[at(i)] = items[i];
  }
  template <class It> __device__ void Store(It to, T (&items)[ITEMS], int valid) {
    exchange(items);
    if constexpr (TRANSPOSES) {
      if (place.tid == 0) storage.valid = valid;
      __syncthreads();
      valid = storage.valid;
    }
    for (int i = 0; i < ITEMS; i++) {
      if (at(i) < valid) to[at(i)] = items[i];
    }
  }
};
}
