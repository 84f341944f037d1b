// The unsigned integers that radix sorts compare keys as, and keys as such: the sign's bit is turned over, of negative floats all bits.
namespace cub {
template <int BYTES> struct UnsignedOf;
template <> struct UnsignedOf<1> { typedef unsigned char type; };
template <> struct UnsignedOf<2> { typedef unsigned short type; };
template <> struct UnsignedOf<4> { typedef unsigned int type; };
template <> struct UnsignedOf<8> { typedef unsigned long long type; };
template <class T> struct Traits {
  typedef typename UnsignedOf<sizeof(T)>::type UnsignedBits;
  static constexpr UnsignedBits HIGH_BIT = (UnsignedBits)1 << (8 * sizeof(T) - 1);
  static constexpr bool FLOATS = !std::is_integral<T>::value, SIGNED = std::is_signed<T>::value;
  static __device__ UnsignedBits TwiddleIn(UnsignedBits key) {
    if (FLOATS) return key ^ (key & HIGH_BIT ? (UnsignedBits)-1 : HIGH_BIT);
    return SIGNED ? (UnsignedBits)(key ^ HIGH_BIT) : key;
  }
  static __device__ UnsignedBits TwiddleOut(UnsignedBits key) {
    if (FLOATS) return key ^ (key & HIGH_BIT ? HIGH_BIT : (UnsignedBits)-1);
    return SIGNED ? (UnsignedBits)(key ^ HIGH_BIT) : key;
  }
};
}
