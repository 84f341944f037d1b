// The unsigned integers that radix sorts compare keys as; NAMESPACE comes from `index.txt`.
namespace NAMESPACE {
template <class T, int BYTES = sizeof(T)> struct Traits;
template <class T> struct Traits<T, 1> { typedef unsigned char UnsignedBits; };
template <class T> struct Traits<T, 2> { typedef unsigned short UnsignedBits; };
template <class T> struct Traits<T, 4> { typedef unsigned int UnsignedBits; };
template <class T> struct Traits<T, 8> { typedef unsigned long long UnsignedBits; };
}
