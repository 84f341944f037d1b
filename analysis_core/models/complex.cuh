// Complex numbers: two components behind each other.  NAMESPACE and ALIGNED come from `index.txt`.
namespace NAMESPACE {
template <class T> class alignas(ALIGNED) complex {
  T re, im;
 public:
  typedef T value_type;
  __host__ __device__ constexpr complex() : re(T()), im(T()) {}
  __host__ __device__ constexpr complex(const T r) : re(r), im(T()) {}
  __host__ __device__ constexpr complex(const T r, const T i) : re(r), im(i) {}
  __host__ __device__ constexpr T real() const { return re; }
  __host__ __device__ constexpr T imag() const { return im; }
  __host__ __device__ void real(T r) { re = r; }
  __host__ __device__ void imag(T i) { im = i; }
  __host__ __device__ complex<T> &operator+=(const complex<T> o) { re += o.re; im += o.im; return *this; }
  __host__ __device__ complex<T> &operator-=(const complex<T> o) { re -= o.re; im -= o.im; return *this; }
  __host__ __device__ complex<T> &operator*=(const complex<T> o) { T r = re * o.re - im * o.im; im = re * o.im + im * o.re; re = r; return *this; }
  __host__ __device__ complex<T> &operator/=(const complex<T> o) {
    T d = o.re * o.re + o.im * o.im, r = (re * o.re + im * o.im) / d;
    im = (im * o.re - re * o.im) / d; re = r; return *this;
  }
};
template <class T> __host__ __device__ complex<T> operator+(complex<T> a, complex<T> b) { return complex<T>(a.real() + b.real(), a.imag() + b.imag()); }
template <class T> __host__ __device__ complex<T> operator+(complex<T> a, T b) { return complex<T>(a.real() + b, a.imag()); }
template <class T> __host__ __device__ complex<T> operator+(T a, complex<T> b) { return complex<T>(a + b.real(), b.imag()); }
template <class T> __host__ __device__ complex<T> operator-(complex<T> a, complex<T> b) { return complex<T>(a.real() - b.real(), a.imag() - b.imag()); }
template <class T> __host__ __device__ complex<T> operator-(complex<T> a, T b) { return complex<T>(a.real() - b, a.imag()); }
template <class T> __host__ __device__ complex<T> operator-(T a, complex<T> b) { return complex<T>(a - b.real(), -b.imag()); }
template <class T> __host__ __device__ complex<T> operator-(complex<T> a) { return complex<T>(-a.real(), -a.imag()); }
template <class T> __host__ __device__ complex<T> operator*(complex<T> a, complex<T> b) {
  return complex<T>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}
template <class T> __host__ __device__ complex<T> operator*(complex<T> a, T b) { return complex<T>(a.real() * b, a.imag() * b); }
template <class T> __host__ __device__ complex<T> operator*(T a, complex<T> b) { return complex<T>(a * b.real(), a * b.imag()); }
template <class T> __host__ __device__ complex<T> operator/(complex<T> a, complex<T> b) {
  T d = b.real() * b.real() + b.imag() * b.imag();
  return complex<T>((a.real() * b.real() + a.imag() * b.imag()) / d, (a.imag() * b.real() - a.real() * b.imag()) / d);
}
template <class T> __host__ __device__ complex<T> operator/(complex<T> a, T b) { return complex<T>(a.real() / b, a.imag() / b); }
template <class T> __host__ __device__ bool operator==(complex<T> a, complex<T> b) { return a.real() == b.real() && a.imag() == b.imag(); }
template <class T> __host__ __device__ bool operator!=(complex<T> a, complex<T> b) { return a.real() != b.real() || a.imag() != b.imag(); }
template <class T> __host__ __device__ T real(complex<T> a) { return a.real(); }
template <class T> __host__ __device__ T imag(complex<T> a) { return a.imag(); }
template <class T> __host__ __device__ T norm(complex<T> a) { return a.real() * a.real() + a.imag() * a.imag(); }
template <class T> __host__ __device__ T abs(complex<T> a) { return sqrt(a.real() * a.real() + a.imag() * a.imag()); }
template <class T> __host__ __device__ T arg(complex<T> a) { return atan2(a.imag(), a.real()); }
template <class T> __host__ __device__ complex<T> conj(complex<T> a) { return complex<T>(a.real(), -a.imag()); }
template <class T> __host__ __device__ complex<T> exp(complex<T> a) { T e = exp(a.real()); return complex<T>(e * cos(a.imag()), e * sin(a.imag())); }
template <class T> __host__ __device__ complex<T> polar(T r, T angle) { return complex<T>(r * cos(angle), r * sin(angle)); }
}
