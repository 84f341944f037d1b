// Items that change owners within a warp, items of the neighbours in a block, and differences between neighbours.
// Source: warp_exchange_smem.cuh, warp_exchange_shfl.cuh, block_shuffle.cuh and block_adjacent_difference.cuh of CUB in the CUDA Core Compute Libraries 3.
namespace cub {
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
template <int WIDTH> __device__ unsigned mask_of_lanes() { return WIDTH == 32 ? 0xffffffff : ((1u << WIDTH % 32) - 1) << (LaneId() / WIDTH * WIDTH); }

// By memory: scattered items are padded by one after each 32 where a thread owns 8 or more (a power of two), others lie as they are.
template <class T, int ITEMS, int WIDTH, bool SHUFFLES> class WarpExchangeBy {
  enum { TILE = ITEMS * WIDTH + 1, PADDED = ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0, PADDING = PADDED ? TILE / 32 : 0 };
 public:
  struct TempStorage { T items_shared[TILE + PADDING]; };
 private:
  TempStorage &storage;
  const unsigned lane, mask;
 public:
  __device__ WarpExchangeBy(TempStorage &storage) : storage(storage), lane(LaneId() % WIDTH), mask(mask_of_lanes<WIDTH>()) {}
  template <class O> __device__ void BlockedToStriped(const T (&input)[ITEMS], O (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) storage.items_shared[ITEMS * lane + i] = input[i];
    __syncwarp(mask);
    for (int i = 0; i < ITEMS; i++) output[i] = storage.items_shared[WIDTH * i + lane];
  }
  template <class O> __device__ void StripedToBlocked(const T (&input)[ITEMS], O (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) storage.items_shared[WIDTH * i + lane] = input[i];
    __syncwarp(mask);
    for (int i = 0; i < ITEMS; i++) output[i] = storage.items_shared[ITEMS * lane + i];
  }
  template <class O, class Rank> __device__ void ScatterToStriped(const T (&input)[ITEMS], O (&output)[ITEMS], Rank (&ranks)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) {
      if (PADDED) ranks[i] = (ranks[i] >> 5) + ranks[i];
      storage.items_shared[ranks[i]] = input[i];
    }
    __syncwarp(mask);
    for (int i = 0; i < ITEMS; i++) {
      int at = i * WIDTH + lane;
      if (PADDED) at = (at >> 5) + at;
      output[i] = storage.items_shared[at];
    }
  }
  template <class Rank> __device__ void ScatterToStriped(T (&items)[ITEMS], Rank (&ranks)[ITEMS]) { ScatterToStriped(items, items, ranks); }
};

// By shuffles, where a thread owns as many items as the warp has lanes: a transposition that swaps halves, quarters, ...
template <class T, int ITEMS, int WIDTH> class WarpExchangeBy<T, ITEMS, WIDTH, true> {
  const unsigned lane, mask;
 public:
  typedef NullType TempStorage;
  __device__ WarpExchangeBy(TempStorage &) : lane(LaneId() % WIDTH), mask(mask_of_lanes<WIDTH>()) {}
  template <class O> __device__ void BlockedToStriped(const T (&input)[ITEMS], O (&output)[ITEMS]) {
    T items[ITEMS];
    for (int i = 0; i < ITEMS; i++) items[i] = input[i];
    for (int half = ITEMS / 2; half > 0; half /= 2) {
      bool upper = lane & half;
      for (int first = 0; first < ITEMS; first += 2 * half)
        for (int i = first; i < first + half; i++) {
          T low = items[i], high = items[i + half];
          T received = __shfl_xor_sync(mask, upper ? low : high, half, WIDTH);
          items[i] = upper ? received : low;
          items[i + half] = upper ? high : received;
        }
    }
    for (int i = 0; i < ITEMS; i++) output[i] = items[i];
  }
  template <class O> __device__ void StripedToBlocked(const T (&input)[ITEMS], O (&output)[ITEMS]) { BlockedToStriped(input, output); }
};

template <class T, int ITEMS, int WIDTH = 32, WarpExchangeAlgorithm ALGORITHM = WARP_EXCHANGE_SMEM>
class WarpExchange : public WarpExchangeBy<T, ITEMS, WIDTH, ALGORITHM == WARP_EXCHANGE_SHUFFLE> {
 public:
  typedef typename WarpExchangeBy<T, ITEMS, WIDTH, ALGORITHM == WARP_EXCHANGE_SHUFFLE>::TempStorage TempStorage;
  __device__ WarpExchange(TempStorage &storage) : WarpExchangeBy<T, ITEMS, WIDTH, ALGORITHM == WARP_EXCHANGE_SHUFFLE>(storage) {}
};

template <class T, int X, int Y = 1, int Z = 1, int ARCH = 0> class BlockShuffle {
  enum { THREADS = X * Y * Z };
 public:
  struct TempStorage { T items[THREADS]; };
 private:
  TempStorage &storage;
  unsigned tid;
  static __device__ TempStorage &own() {
    __shared__ TempStorage room;
    return room;
  }
  __device__ void leave(T item) {
    storage.items[tid] = item;
    __syncthreads();
  }
 public:
  __device__ BlockShuffle() : storage(own()), tid(RowMajorTid<X, Y, Z>()) {}
  __device__ BlockShuffle(TempStorage &storage) : storage(storage), tid(RowMajorTid<X, Y, Z>()) {}
  __device__ void Offset(T input, T &output, int distance = 1) {
    leave(input);
    int from = int(tid) + distance;
    if (from >= 0 && from < THREADS) output = storage.items[from];
  }
  __device__ void Rotate(T input, T &output, unsigned distance = 1) {
    leave(input);
    unsigned from = tid + distance;
    if (from >= THREADS) from -= THREADS;
    output = storage.items[from];
  }
  template <int N> __device__ void Up(T (&input)[N], T (&before)[N]) {
    leave(input[N - 1]);
    for (int i = N - 1; i > 0; i--) before[i] = input[i - 1];
    if (tid > 0) before[0] = storage.items[tid - 1];
  }
  template <int N> __device__ void Up(T (&input)[N], T (&before)[N], T &last) {
    Up(input, before);
    last = storage.items[THREADS - 1];
  }
  template <int N> __device__ void Down(T (&input)[N], T (&behind)[N]) {
    leave(input[0]);
    for (int i = 0; i < N - 1; i++) behind[i] = input[i + 1];
    if (tid < THREADS - 1) behind[N - 1] = storage.items[tid + 1];
  }
  template <int N> __device__ void Down(T (&input)[N], T (&behind)[N], T &first) {
    Down(input, behind);
    first = storage.items[0];
  }
};

template <class T, int X, int Y = 1, int Z = 1, int ARCH = 0> class BlockAdjacentDifference {
  enum { THREADS = X * Y * Z };
 public:
  struct TempStorage {
    T first_items[THREADS];
    T last_items[THREADS];
  };
 private:
  TempStorage &storage;
  unsigned tid;
  static __device__ TempStorage &own() {
    __shared__ TempStorage room;
    return room;
  }
  __device__ void leave_last(T item) {
    storage.last_items[tid] = item;
    __syncthreads();
  }
  __device__ void leave_first(T item) {
    storage.first_items[tid] = item;
    __syncthreads();
  }
  template <int N, class O, class Op> __device__ void left_within(T (&input)[N], O (&output)[N], Op op) {
    for (int i = N - 1; i > 0; i--) output[i] = op(input[i], input[i - 1]);
  }
  template <int N, class O, class Op> __device__ void left_within(T (&input)[N], O (&output)[N], Op op, int valid) {
    if ((tid + 1) * N <= valid) left_within(input, output, op);
    else {
      for (int i = N - 1; i > 0; i--) {
        int at = tid * N + i;
        if (at < valid) output[i] = op(input[i], input[i - 1]);
        else output[i] = input[i];
      }
    }
  }
  template <int N, class O, class Op> __device__ void right_within(T (&input)[N], O (&output)[N], Op op) {
    for (int i = 0; i < N - 1; i++) output[i] = op(input[i], input[i + 1]);
  }
 public:
  __device__ BlockAdjacentDifference() : storage(own()), tid(RowMajorTid<X, Y, Z>()) {}
  __device__ BlockAdjacentDifference(TempStorage &storage) : storage(storage), tid(RowMajorTid<X, Y, Z>()) {}
  template <int N, class O, class Op> __device__ void SubtractLeft(T (&input)[N], O (&output)[N], Op op) {
    leave_last(input[N - 1]);
    left_within(input, output, op);
    if (tid == 0) output[0] = input[0];
    else output[0] = op(input[0], storage.last_items[tid - 1]);
  }
  template <int N, class O, class Op> __device__ void SubtractLeft(T (&input)[N], O (&output)[N], Op op, T before) {
    leave_last(input[N - 1]);
    left_within(input, output, op);
    if (tid == 0) output[0] = op(input[0], before);
    else output[0] = op(input[0], storage.last_items[tid - 1]);
  }
  template <int N, class O, class Op> __device__ void SubtractLeftPartialTile(T (&input)[N], O (&output)[N], Op op, int valid) {
    leave_last(input[N - 1]);
    left_within(input, output, op, valid);
    if (tid == 0 || valid <= tid * N) output[0] = input[0];
    else output[0] = op(input[0], storage.last_items[tid - 1]);
  }
  template <int N, class O, class Op> __device__ void SubtractLeftPartialTile(T (&input)[N], O (&output)[N], Op op, int valid, T before) {
    leave_last(input[N - 1]);
    left_within(input, output, op, valid);
    if (valid <= tid * N) output[0] = input[0];
    else if (tid == 0) output[0] = op(input[0], before);
    else output[0] = op(input[0], storage.last_items[tid - 1]);
  }
  template <int N, class O, class Op> __device__ void SubtractRight(T (&input)[N], O (&output)[N], Op op) {
    leave_first(input[0]);
    right_within(input, output, op);
    if (tid == THREADS - 1) output[N - 1] = input[N - 1];
    else output[N - 1] = op(input[N - 1], storage.first_items[tid + 1]);
  }
  template <int N, class O, class Op> __device__ void SubtractRight(T (&input)[N], O (&output)[N], Op op, T behind) {
    leave_first(input[0]);
    T following = tid == THREADS - 1 ? behind : storage.first_items[tid + 1];
    right_within(input, output, op);
    output[N - 1] = op(input[N - 1], following);
  }
  template <int N, class O, class Op> __device__ void SubtractRightPartialTile(T (&input)[N], O (&output)[N], Op op, int valid) {
    leave_first(input[0]);
    if ((tid + 1) * N < valid) {
      right_within(input, output, op);
      output[N - 1] = op(input[N - 1], storage.first_items[tid + 1]);
    } else {
      for (int i = 0; i < N; i++) {
        int at = tid * N + i;
        if (at < valid - 1) output[i] = op(input[i], input[i + 1]);
        else output[i] = input[i];
      }
    }
  }
};
}
