// Radix sorts of a block: each pass ranks digits by counters in shared memory, which are scanned, and exchanges by the ranks.
// Source: block_radix_rank.cuh and block_radix_sort.cuh of CUB in the CUDA Core Compute Libraries 3, which pass over keys as those of 2 do.
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
namespace cub {
template <class K> struct BFEDigitExtractor {
  typedef typename Traits<K>::UnsignedBits UnsignedBits;
  unsigned bit_start, num_bits;
  __device__ BFEDigitExtractor(unsigned bit_start = 0, unsigned num_bits = 0) : bit_start(bit_start), num_bits(num_bits) {}
  __device__ unsigned Digit(UnsignedBits key) const { return (unsigned)(key >> bit_start) & ((1u << num_bits) - 1); }
};

// The bits of a key: of types that are no numbers of C++ nobody knows which.
template <class K> __device__ typename Traits<K>::UnsignedBits BitsOfKey(K key) {
  if constexpr (std::is_integral<K>::value) return key;
  else if constexpr (std::is_same<K, float>::value) return __float_as_uint(key);
  else if constexpr (std::is_same<K, double>::value) return __double_as_longlong(key);
  else return warpcost::data<typename Traits<K>::UnsignedBits>();
}

// The counters of a thread lie one block apart, so that any digits are of different banks; two lie in a word.
template <int X, int BITS, bool DESCENDING, bool MEMOIZE = true, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          int BANKS = cudaSharedMemBankSizeFourByte, int Y = 1, int Z = 1>
class BlockRadixRank {
  enum { WIDTH = BANKS == cudaSharedMemBankSizeEightByte ? 8 : 4 };
  typedef typename UnsignedOf<WIDTH>::type Packed;
  enum {
    THREADS = X * Y * Z, DIGITS = 1 << BITS, RATIO = WIDTH / 2, LOG_RATIO = RATIO == 4 ? 2 : 1,
    LOG_LANES = BITS > LOG_RATIO ? BITS - LOG_RATIO : 0, LANES = 1 << LOG_LANES, PIECE = LANES + 1,
  };
  typedef BlockScan<Packed, X, ALGORITHM, Y, Z> Scan;
  union Counters {
    unsigned short digit_counters[PIECE][THREADS][RATIO];
    Packed raking_grid[THREADS][PIECE];
  };
  struct Prefix {
    __device__ Packed operator()(Packed all) {
      Packed prefix = 0;
      for (int i = 1; i < RATIO; i++) prefix += all << (16 * i);
      return prefix;
    }
  };
 public:
  enum { BINS_TRACKED_PER_THREAD = DIGITS > THREADS ? (DIGITS + THREADS - 1) / THREADS : 1 };
  struct alignas(16) TempStorage {
    Counters aliasable;
    typename Scan::TempStorage block_scan;
  };
 private:
  TempStorage &storage;
  int tid;
  __device__ unsigned short &counter(unsigned digit) {
    unsigned lane = digit & (LANES - 1), half = (digit >> LOG_LANES) & (RATIO - 1);
    return storage.aliasable.digit_counters[DESCENDING ? LANES - 1 - lane : lane][tid][DESCENDING ? RATIO - 1 - half : half];
  }
  __device__ void scan_counters() {
    Packed *own = storage.aliasable.raking_grid[tid];
    Packed items[PIECE];
    Packed sum = 0, before;
    for (int i = 0; i < PIECE; i++) sum += items[i] = own[i];
    Prefix prefix;
    Scan(storage.block_scan).ExclusiveSum(sum, before, prefix);
    if constexpr (!MEMOIZE) {
      for (int i = 0; i < PIECE; i++) items[i] = own[i];
    }
    for (int i = 0; i < PIECE; i++) {
      own[i] = before;
      before += items[i];
    }
  }
 public:
  __device__ BlockRadixRank(TempStorage &storage) : storage(storage), tid(RowMajorTid<X, Y, Z>()) {}
  template <class Bits, int N, class Extractor> __device__ void RankKeys(Bits (&keys)[N], int (&ranks)[N], Extractor extractor) {
    for (int i = 0; i < PIECE; i++) *(Packed *)storage.aliasable.digit_counters[i][tid] = 0;
    for (int i = 0; i < N; i++) {
      unsigned digit = extractor.Digit(keys[i]);
      ranks[i] = counter(digit);
      counter(digit) = ranks[i] + 1;
    }
    __syncthreads();
    scan_counters();
    __syncthreads();
    for (int i = 0; i < N; i++) ranks[i] += counter(extractor.Digit(keys[i]));
  }
  template <class Bits, int N, class Extractor>
  __device__ void RankKeys(Bits (&keys)[N], int (&ranks)[N], Extractor extractor, int (&before)[BINS_TRACKED_PER_THREAD]) {
    RankKeys(keys, ranks, extractor);
    for (int i = 0; i < BINS_TRACKED_PER_THREAD; i++) {
      int bin = tid * BINS_TRACKED_PER_THREAD + i;
      if (THREADS == DIGITS || bin < DIGITS) {
        if (DESCENDING) bin = DIGITS - bin - 1;
        before[i] = storage.aliasable.digit_counters[bin & (LANES - 1)][0][bin >> LOG_LANES];
      }
    }
  }
};

template <class K, int X, int ITEMS, class V = NullType, int BITS = 4, bool MEMOIZE = true, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          int BANKS = cudaSharedMemBankSizeFourByte, int Y = 1, int Z = 1>
class BlockRadixSort {
  typedef typename Traits<K>::UnsignedBits Bits;
  typedef BlockRadixRank<X, BITS, false, MEMOIZE, ALGORITHM, BANKS, Y, Z> Ascending;
  typedef BlockRadixRank<X, BITS, true, MEMOIZE, ALGORITHM, BANKS, Y, Z> Descending;
  typedef BlockExchange<K, X, ITEMS, false, Y, Z> Keys;
  typedef BlockExchange<V, X, ITEMS, false, Y, Z> Values;
 public:
  union TempStorage {
    typename Ascending::TempStorage ascending;
    typename Descending::TempStorage descending;
    typename Keys::TempStorage keys;
    typename Values::TempStorage values;
  };
 private:
  TempStorage &storage;
  template <bool DESCENDING, bool STRIPED> __device__ void sort(K (&keys)[ITEMS], V (&values)[ITEMS], int begin, int end) {
    int passes = end - begin > BITS ? (end - begin + BITS - 1) / BITS : 1;
    for (int pass = 0; pass < passes; pass++) {
      int from = begin + pass * BITS;
      bool last = pass == passes - 1;
      int ranks[ITEMS];
      Bits bits[ITEMS];
      for (int i = 0; i < ITEMS; i++) bits[i] = Traits<K>::TwiddleIn(BitsOfKey(keys[i]));
      BFEDigitExtractor<K> extractor(from, end - from < BITS ? end - from : BITS);
      if constexpr (DESCENDING) Descending(storage.descending).RankKeys(bits, ranks, extractor);
      else Ascending(storage.ascending).RankKeys(bits, ranks, extractor);
      __syncthreads();
      if (STRIPED && last) Keys(storage.keys).ScatterToStriped(keys, keys, ranks);
      else Keys(storage.keys).ScatterToBlocked(keys, keys, ranks);
      if constexpr (!std::is_same<V, NullType>::value) {
        __syncthreads();
        if (STRIPED && last) Values(storage.values).ScatterToStriped(values, values, ranks);
        else Values(storage.values).ScatterToBlocked(values, values, ranks);
      }
      if (!last) __syncthreads();
    }
  }
 public:
  __device__ BlockRadixSort(TempStorage &storage) : storage(storage) {}
  __device__ void Sort(K (&keys)[ITEMS], int begin = 0, int end = sizeof(K) * 8) {
    V none[ITEMS];
    sort<false, false>(keys, none, begin, end);
  }
  __device__ void SortDescending(K (&keys)[ITEMS], int begin = 0, int end = sizeof(K) * 8) {
    V none[ITEMS];
    sort<true, false>(keys, none, begin, end);
  }
  __device__ void SortBlockedToStriped(K (&keys)[ITEMS], int begin = 0, int end = sizeof(K) * 8) {
    V none[ITEMS];
    sort<false, true>(keys, none, begin, end);
  }
  __device__ void SortDescendingBlockedToStriped(K (&keys)[ITEMS], int begin = 0, int end = sizeof(K) * 8) {
    V none[ITEMS];
    sort<true, true>(keys, none, begin, end);
  }
  __device__ void Sort(K (&keys)[ITEMS], V (&values)[ITEMS], int begin = 0, int end = sizeof(K) * 8) { sort<false, false>(keys, values, begin, end); }
  __device__ void SortDescending(K (&keys)[ITEMS], V (&values)[ITEMS], int begin = 0, int end = sizeof(K) * 8) {
    sort<true, false>(keys, values, begin, end);
  }
  __device__ void SortBlockedToStriped(K (&keys)[ITEMS], V (&values)[ITEMS], int begin = 0, int end = sizeof(K) * 8) {
    sort<false, true>(keys, values, begin, end);
  }
  __device__ void SortDescendingBlockedToStriped(K (&keys)[ITEMS], V (&values)[ITEMS], int begin = 0, int end = sizeof(K) * 8) {
    sort<true, true>(keys, values, begin, end);
  }
};
}
