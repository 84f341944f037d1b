// Fragments of warp matrices: nvcuda::wmma of <mma.h>.  Which lane holds which element is not specified (CUDA C++ Programming Guide, "Warp Matrix
// Functions"); here they are those of `mma.m16n8k16` and its relatives (PTX ISA, "Matrix Fragments for mma"): of each piece of 8 lines of memory, lane
// i holds elements behind each other in line i / 4, the i % 4th of them: 4 bytes, two elements of an accumulator.
namespace nvcuda { namespace wmma {
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32 {}; }
namespace experimental { namespace precision { struct u4 {}; struct s4 {}; struct b1 {}; } }

template <class T> struct Element { typedef T type; enum { BITS = 8 * sizeof(T), EACH = 1 }; };
template <> struct Element<precision::tf32> { typedef float type; enum { BITS = 32, EACH = 1 }; };
template <> struct Element<experimental::precision::u4> { typedef unsigned type; enum { BITS = 4, EACH = 8 }; };
template <> struct Element<experimental::precision::s4> { typedef int type; enum { BITS = 4, EACH = 8 }; };
template <> struct Element<experimental::precision::b1> { typedef unsigned type; enum { BITS = 1, EACH = 32 }; };

template <class Use, int M, int N, int K> struct Shape;
template <int M, int N, int K> struct Shape<matrix_a, M, N, K> { enum { ROWS = M, COLUMNS = K, PAIRS = 0 }; };
template <int M, int N, int K> struct Shape<matrix_b, M, N, K> { enum { ROWS = K, COLUMNS = N, PAIRS = 0 }; };
template <int M, int N, int K> struct Shape<accumulator, M, N, K> { enum { ROWS = M, COLUMNS = N, PAIRS = 1 }; };

// Elements of a lane: the 32nd part of all, but those of the operands of halves are in two lanes or more.
template <class Use, int M, int N, int K, class T> struct Held { enum { COUNT = Shape<Use, M, N, K>::ROWS * Shape<Use, M, N, K>::COLUMNS / 32 }; };
template <int M, int N, int K> struct Held<matrix_a, M, N, K, __half> { enum { COUNT = 16 }; };
template <int M, int N, int K> struct Held<matrix_b, M, N, K, __half> { enum { COUNT = 16 }; };

template <class Use, int M, int N, int K, class T, class Layout = void> class alignas(8) fragment {
 public:
  typedef typename Element<T>::type element_type;
  typedef element_type storage_element_type;
  enum { num_elements = Held<Use, M, N, K, T>::COUNT, num_storage_elements = num_elements / Element<T>::EACH };
  element_type x[num_storage_elements];
  __device__ void forget() { for (int i = 0; i < num_storage_elements; i++) x[i] = warpcost::data<element_type>(); }
};

template <int BYTES> struct Word;
template <> struct Word<4> { typedef unsigned type; };
template <> struct Word<8> { typedef uint2 type; };
template <> struct Word<16> { typedef uint4 type; };

// The words of a lane: pieces of 8 lines with 4 words in each; `bits`: those of an element, `lines`, `length`: of memory, `pitch`: elements
// from line to line, which have to be multiples of 16 bytes.
template <int BITS, int PAIRS, int LINES, int LENGTH> struct Pieces {
  enum {
    EACH = PAIRS ? 2 : BITS < 32 ? 32 / BITS : 1, BYTES = EACH * BITS / 8, ACROSS = LENGTH / (4 * EACH) > 0 ? LENGTH / (4 * EACH) : 1,
    COUNT = (LINES / 8) * ACROSS,
  };
  typedef typename Word<BYTES>::type word;
  static __device__ const char *at(const void *start, unsigned pitch, int piece) {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    long line = (piece / ACROSS) * 8 + lane / 4;
    return (const char *)start + line * (pitch / (128 / BITS)) * 16 + ((piece % ACROSS) * 4 + lane % 4) * BYTES;
  }
  static __device__ void load(const void *start, unsigned pitch) {
    for (int i = 0; i < COUNT; i++) {
      const word *place = reinterpret_cast<const word *>(at(start, pitch, i));
      word loaded = *place;
    }
  }
  static __device__ void store(void *start, unsigned pitch) {
    for (int i = 0; i < COUNT; i++) {
      word *place = reinterpret_cast<word *>(const_cast<char *>(at(start, pitch, i)));
      *place = warpcost::data<word>();
    }
  }
};

template <class Use, int M, int N, int K, class T> __device__ void load_matrix_sync(fragment<Use, M, N, K, T, row_major> &f, const typename Element<T>::type *from, unsigned pitch) {
  typedef Shape<Use, M, N, K> S;
  Pieces<Element<T>::BITS, 0, S::ROWS, S::COLUMNS>::load(from, pitch);
  f.forget();
}
template <class Use, int M, int N, int K, class T> __device__ void load_matrix_sync(fragment<Use, M, N, K, T, col_major> &f, const typename Element<T>::type *from, unsigned pitch) {
  typedef Shape<Use, M, N, K> S;
  Pieces<Element<T>::BITS, 0, S::COLUMNS, S::ROWS>::load(from, pitch);
  f.forget();
}
template <int M, int N, int K, class T> __device__ void load_matrix_sync(fragment<accumulator, M, N, K, T, void> &f, const T *from, unsigned pitch, layout_t layout) {
  if (layout == mem_row_major) Pieces<8 * sizeof(T), 1, M, N>::load(from, pitch);
  else Pieces<8 * sizeof(T), 1, N, M>::load(from, pitch);
  f.forget();
}
template <int M, int N, int K, class T> __device__ void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T, void> &f, unsigned pitch, layout_t layout) {
  if (layout == mem_row_major) Pieces<8 * sizeof(T), 1, M, N>::store(to, pitch);
  else Pieces<8 * sizeof(T), 1, N, M>::store(to, pitch);
}
template <class Use, int M, int N, int K, class T, class L> __device__ void fill_fragment(fragment<Use, M, N, K, T, L> &f, const typename Element<T>::type &value) {
  for (int i = 0; i < f.num_storage_elements; i++) f.x[i] = value;
}
template <class D, class A, class B, class C> __device__ void mma_sync(D &d, const A &a, const B &b, const C &c, bool saturate = false) {
  d.forget();
}
__device__ inline float __float_to_tf32(float value) { return value; }
} }
