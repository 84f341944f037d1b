// Merge sorts of blocks and warps: each thread sorts its items in registers, then pieces are merged by shared memory, twice as large each time.
// Source: block_merge_sort.cuh, warp_merge_sort.cuh and thread_sort.cuh of CUB in the CUDA Core Compute Libraries 3.
namespace cub {
template <class K, class V, int THREADS, int ITEMS, bool OF_WARP> class BlockMergeSortStrategy {
  enum { TILE = ITEMS * THREADS };
  static constexpr bool PAIRS = !std::is_same<V, NullType>::value;
 public:
  union TempStorage {
    K keys_shared[TILE + 1];
    V items_shared[TILE + 1];
  };
 private:
  TempStorage &storage;
  const unsigned tid, mask;
  __device__ void sync() {
    if constexpr (OF_WARP) __syncwarp(mask);
    else __syncthreads();
  }
  template <class Compare> __device__ void sort_own(K (&keys)[ITEMS], V (&items)[ITEMS], Compare compare) {
    for (int i = 0; i < ITEMS; i++) {
      for (int j = i & 1; j < ITEMS - 1; j += 2) {
        if (compare(keys[j + 1], keys[j])) {
          K key = keys[j];
          keys[j] = keys[j + 1];
          keys[j + 1] = key;
          if constexpr (PAIRS) {
            V item = items[j];
            items[j] = items[j + 1];
            items[j + 1] = item;
          }
        }
      }
    }
  }
  // How many of the first `diagonal` keys of both pieces are of the first one: a binary search among at most `most`.
  template <class Compare> __device__ int split(K *first, K *second, int firsts, int seconds, int diagonal, int most, Compare compare) {
    int begin = diagonal < seconds ? 0 : diagonal - seconds, end = diagonal < firsts ? diagonal : firsts;
    for (int left = most; left > 0 && begin < end; left /= 2) {
      int middle = begin + (end - begin) / 2;
      K one = first[middle], other = second[diagonal - 1 - middle];
      if (compare(other, one)) end = middle;
      else begin = middle + 1;
    }
    return begin;
  }
  template <class Compare>
  __device__ void merge(K (&keys)[ITEMS], int (&from)[ITEMS], int first, int second, int first_end, int second_end, Compare compare, K otherwise) {
    K one = first < first_end ? storage.keys_shared[first] : otherwise;
    K other = second < second_end ? storage.keys_shared[second] : otherwise;
    for (int i = 0; i < ITEMS; i++) {
      bool is_other = second < second_end && (first >= first_end || compare(other, one));
      keys[i] = is_other ? other : one;
      from[i] = is_other ? second++ : first++;
      if (is_other) other = storage.keys_shared[second];
      else one = storage.keys_shared[first];
    }
  }
  template <class Compare> __device__ void merge_pieces(K (&keys)[ITEMS], V (&items)[ITEMS], Compare compare, int valid, K otherwise) {
    for (int merged = 1; merged < THREADS; merged *= 2) {
      sync();
      for (int i = 0; i < ITEMS; i++) storage.keys_shared[ITEMS * tid + i] = keys[i];
      sync();
      int within = tid & (2 * merged - 1), start = ITEMS * (tid - within), size = ITEMS * merged;
      int diagonal = min(valid, ITEMS * within), first = min(valid, start), first_end = min(valid, first + size), second_end = min(valid, first_end + size);
      int taken = split(storage.keys_shared + first, storage.keys_shared + first_end, first_end - first, second_end - first_end, diagonal, size, compare);
      int from[ITEMS];
      merge(keys, from, first + taken, first_end + diagonal - taken, first_end, second_end, compare, otherwise);
      if constexpr (PAIRS) {
        sync();
        for (int i = 0; i < ITEMS; i++) storage.items_shared[ITEMS * tid + i] = items[i];
        sync();
        for (int i = 0; i < ITEMS; i++) items[i] = storage.items_shared[from[i]];
      }
    }
  }
 public:
  __device__ BlockMergeSortStrategy(TempStorage &storage, unsigned tid, unsigned mask) : storage(storage), tid(tid), mask(mask) {}
  __device__ unsigned get_linear_tid() const { return tid; }
  __device__ unsigned get_member_mask() const { return mask; }
  template <class Compare, bool LAST = true> __device__ void Sort(K (&keys)[ITEMS], V (&items)[ITEMS], Compare compare, int valid, K otherwise) {
    if constexpr (LAST) {
      K largest = otherwise;
      for (int i = 1; i < ITEMS; i++) {
        if (ITEMS * tid + i < valid) largest = compare(largest, keys[i]) ? keys[i] : largest;
        else keys[i] = largest;
      }
      if (ITEMS * tid < valid) sort_own(keys, items, compare);
    } else sort_own(keys, items, compare);
    merge_pieces(keys, items, compare, valid, otherwise);
  }
  template <class Compare> __device__ void Sort(K (&keys)[ITEMS], V (&items)[ITEMS], Compare compare) {
    Sort<Compare, false>(keys, items, compare, TILE, keys[0]);
  }
  template <class Compare> __device__ void Sort(K (&keys)[ITEMS], Compare compare) {
    V none[ITEMS];
    Sort<Compare, false>(keys, none, compare, TILE, keys[0]);
  }
  template <class Compare> __device__ void Sort(K (&keys)[ITEMS], Compare compare, int valid, K otherwise) {
    V none[ITEMS];
    Sort<Compare, true>(keys, none, compare, valid, otherwise);
  }
  template <class Compare> __device__ void StableSort(K (&keys)[ITEMS], Compare compare) { Sort(keys, compare); }
  template <class Compare> __device__ void StableSort(K (&keys)[ITEMS], V (&items)[ITEMS], Compare compare) { Sort(keys, items, compare); }
  template <class Compare> __device__ void StableSort(K (&keys)[ITEMS], Compare compare, int valid, K otherwise) { Sort(keys, compare, valid, otherwise); }
  template <class Compare, bool LAST = true> __device__ void StableSort(K (&keys)[ITEMS], V (&items)[ITEMS], Compare compare, int valid, K otherwise) {
    Sort<Compare, LAST>(keys, items, compare, valid, otherwise);
  }
};

template <class K, int X, int ITEMS, class V = NullType, int Y = 1, int Z = 1, bool UNROLL = true>
class BlockMergeSort : public BlockMergeSortStrategy<K, V, X * Y * Z, ITEMS, false> {
  typedef BlockMergeSortStrategy<K, V, X * Y * Z, ITEMS, false> Strategy;
 public:
  explicit __device__ BlockMergeSort(typename Strategy::TempStorage &storage) : Strategy(storage, RowMajorTid<X, Y, Z>(), 0xffffffff) {}
};

template <class K, int ITEMS, int WIDTH = 32, class V = NullType>
class WarpMergeSort : public BlockMergeSortStrategy<K, V, WIDTH, ITEMS, true> {
  typedef BlockMergeSortStrategy<K, V, WIDTH, ITEMS, true> Strategy;
 public:
  __device__ WarpMergeSort(typename Strategy::TempStorage &storage)
      : Strategy(storage, LaneId() % WIDTH, WIDTH == 32 ? 0xffffffff : ((1u << WIDTH % 32) - 1) << (LaneId() / WIDTH * WIDTH)) {}
};
}
