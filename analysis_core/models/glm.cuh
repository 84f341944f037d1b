// Vectors and matrices of GLM: components behind each other, matrices by columns.  Source: GLM's manual, "Vector types", and GLSL 4.60.
namespace glm {
enum qualifier { packed_highp, packed_mediump, packed_lowp, highp = packed_highp, defaultp = packed_highp };
template <int L, class T, qualifier Q = defaultp> struct vec;
template <int C, int R, class T, qualifier Q = defaultp> struct mat;
template <class T, qualifier Q> struct vec<2, T, Q> {
  typedef T value_type;
  T x, y;
  __host__ __device__ vec() {}
  __host__ __device__ explicit vec(T s) : x(s), y(s) {}
  template <class X_, class Y_> __host__ __device__ vec(X_ a0, Y_ a1) : x(T(a0)), y(T(a1)) {}
  template <class U> __host__ __device__ explicit vec(const vec<3, U, Q> &v) : x(T(v.x)), y(T(v.y)) {}
  template <class U> __host__ __device__ explicit vec(const vec<4, U, Q> &v) : x(T(v.x)), y(T(v.y)) {}
  template <class U> __host__ __device__ explicit vec(const vec<2, U, Q> &v) : x(T(v.x)), y(T(v.y)) {}
  static __host__ __device__ constexpr int length() { return 2; }
  __host__ __device__ T &operator[](int i) { return i == 0 ? x : y; }
  __host__ __device__ const T &operator[](int i) const { return i == 0 ? x : y; }
  template <class U> __host__ __device__ vec<2, T, Q> &operator+=(const vec<2, U, Q> &o) { x += o.x; y += o.y; return *this; }
  __host__ __device__ vec<2, T, Q> &operator+=(T s) { x += s; y += s; return *this; }
  template <class U> __host__ __device__ vec<2, T, Q> &operator-=(const vec<2, U, Q> &o) { x -= o.x; y -= o.y; return *this; }
  __host__ __device__ vec<2, T, Q> &operator-=(T s) { x -= s; y -= s; return *this; }
  template <class U> __host__ __device__ vec<2, T, Q> &operator*=(const vec<2, U, Q> &o) { x *= o.x; y *= o.y; return *this; }
  __host__ __device__ vec<2, T, Q> &operator*=(T s) { x *= s; y *= s; return *this; }
  template <class U> __host__ __device__ vec<2, T, Q> &operator/=(const vec<2, U, Q> &o) { x /= o.x; y /= o.y; return *this; }
  __host__ __device__ vec<2, T, Q> &operator/=(T s) { x /= s; y /= s; return *this; }
};
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator-(const vec<2, T, Q> &a) { return vec<2, T, Q>(-a.x, -a.y); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator+(const vec<2, T, Q> &a, const vec<2, T, Q> &b) { return vec<2, T, Q>(a.x + b.x, a.y + b.y); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator+(const vec<2, T, Q> &a, T s) { return vec<2, T, Q>(a.x + s, a.y + s); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator+(T s, const vec<2, T, Q> &a) { return vec<2, T, Q>(s + a.x, s + a.y); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator-(const vec<2, T, Q> &a, const vec<2, T, Q> &b) { return vec<2, T, Q>(a.x - b.x, a.y - b.y); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator-(const vec<2, T, Q> &a, T s) { return vec<2, T, Q>(a.x - s, a.y - s); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator-(T s, const vec<2, T, Q> &a) { return vec<2, T, Q>(s - a.x, s - a.y); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator*(const vec<2, T, Q> &a, const vec<2, T, Q> &b) { return vec<2, T, Q>(a.x * b.x, a.y * b.y); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator*(const vec<2, T, Q> &a, T s) { return vec<2, T, Q>(a.x * s, a.y * s); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator*(T s, const vec<2, T, Q> &a) { return vec<2, T, Q>(s * a.x, s * a.y); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator/(const vec<2, T, Q> &a, const vec<2, T, Q> &b) { return vec<2, T, Q>(a.x / b.x, a.y / b.y); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator/(const vec<2, T, Q> &a, T s) { return vec<2, T, Q>(a.x / s, a.y / s); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator/(T s, const vec<2, T, Q> &a) { return vec<2, T, Q>(s / a.x, s / a.y); }
template <class T, qualifier Q> __host__ __device__ inline bool operator==(const vec<2, T, Q> &a, const vec<2, T, Q> &b) { return a.x == b.x && a.y == b.y; }
template <class T, qualifier Q> __host__ __device__ inline bool operator!=(const vec<2, T, Q> &a, const vec<2, T, Q> &b) { return !(a == b); }
template <class T, qualifier Q> __host__ __device__ inline T dot(const vec<2, T, Q> &a, const vec<2, T, Q> &b) { return a.x * b.x + a.y * b.y; }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> min(const vec<2, T, Q> &a, const vec<2, T, Q> &b) { return vec<2, T, Q>(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> max(const vec<2, T, Q> &a, const vec<2, T, Q> &b) { return vec<2, T, Q>(b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> min(const vec<2, T, Q> &a, T s) { return glm::min(a, vec<2, T, Q>(s)); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> max(const vec<2, T, Q> &a, T s) { return glm::max(a, vec<2, T, Q>(s)); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> abs(const vec<2, T, Q> &a) { return vec<2, T, Q>(::fabs(a.x), ::fabs(a.y)); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> sqrt(const vec<2, T, Q> &a) { return vec<2, T, Q>(::sqrt(a.x), ::sqrt(a.y)); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> exp(const vec<2, T, Q> &a) { return vec<2, T, Q>(::exp(a.x), ::exp(a.y)); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> sin(const vec<2, T, Q> &a) { return vec<2, T, Q>(::sin(a.x), ::sin(a.y)); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> cos(const vec<2, T, Q> &a) { return vec<2, T, Q>(::cos(a.x), ::cos(a.y)); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> floor(const vec<2, T, Q> &a) { return vec<2, T, Q>(::floor(a.x), ::floor(a.y)); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> ceil(const vec<2, T, Q> &a) { return vec<2, T, Q>(::ceil(a.x), ::ceil(a.y)); }
template <class T> __host__ __device__ inline vec<2, T> make_vec2(const T *p) { return vec<2, T>(p[0], p[1]); }
template <class T, qualifier Q> __host__ __device__ inline const T *value_ptr(const vec<2, T, Q> &a) { return &a.x; }
template <class T, qualifier Q> struct vec<3, T, Q> {
  typedef T value_type;
  T x, y, z;
  __host__ __device__ vec() {}
  __host__ __device__ explicit vec(T s) : x(s), y(s), z(s) {}
  template <class X_, class Y_, class Z_> __host__ __device__ vec(X_ a0, Y_ a1, Z_ a2) : x(T(a0)), y(T(a1)), z(T(a2)) {}
  template <class U> __host__ __device__ vec(const vec<2, U, Q> &v, T c) : x(v.x), y(v.y), z(c) {}
  template <class U> __host__ __device__ explicit vec(const vec<4, U, Q> &v) : x(T(v.x)), y(T(v.y)), z(T(v.z)) {}
  template <class U> __host__ __device__ explicit vec(const vec<3, U, Q> &v) : x(T(v.x)), y(T(v.y)), z(T(v.z)) {}
  static __host__ __device__ constexpr int length() { return 3; }
  __host__ __device__ T &operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  __host__ __device__ const T &operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  template <class U> __host__ __device__ vec<3, T, Q> &operator+=(const vec<3, U, Q> &o) { x += o.x; y += o.y; z += o.z; return *this; }
  __host__ __device__ vec<3, T, Q> &operator+=(T s) { x += s; y += s; z += s; return *this; }
  template <class U> __host__ __device__ vec<3, T, Q> &operator-=(const vec<3, U, Q> &o) { x -= o.x; y -= o.y; z -= o.z; return *this; }
  __host__ __device__ vec<3, T, Q> &operator-=(T s) { x -= s; y -= s; z -= s; return *this; }
  template <class U> __host__ __device__ vec<3, T, Q> &operator*=(const vec<3, U, Q> &o) { x *= o.x; y *= o.y; z *= o.z; return *this; }
  __host__ __device__ vec<3, T, Q> &operator*=(T s) { x *= s; y *= s; z *= s; return *this; }
  template <class U> __host__ __device__ vec<3, T, Q> &operator/=(const vec<3, U, Q> &o) { x /= o.x; y /= o.y; z /= o.z; return *this; }
  __host__ __device__ vec<3, T, Q> &operator/=(T s) { x /= s; y /= s; z /= s; return *this; }
};
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator-(const vec<3, T, Q> &a) { return vec<3, T, Q>(-a.x, -a.y, -a.z); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator+(const vec<3, T, Q> &a, const vec<3, T, Q> &b) { return vec<3, T, Q>(a.x + b.x, a.y + b.y, a.z + b.z); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator+(const vec<3, T, Q> &a, T s) { return vec<3, T, Q>(a.x + s, a.y + s, a.z + s); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator+(T s, const vec<3, T, Q> &a) { return vec<3, T, Q>(s + a.x, s + a.y, s + a.z); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator-(const vec<3, T, Q> &a, const vec<3, T, Q> &b) { return vec<3, T, Q>(a.x - b.x, a.y - b.y, a.z - b.z); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator-(const vec<3, T, Q> &a, T s) { return vec<3, T, Q>(a.x - s, a.y - s, a.z - s); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator-(T s, const vec<3, T, Q> &a) { return vec<3, T, Q>(s - a.x, s - a.y, s - a.z); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator*(const vec<3, T, Q> &a, const vec<3, T, Q> &b) { return vec<3, T, Q>(a.x * b.x, a.y * b.y, a.z * b.z); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator*(const vec<3, T, Q> &a, T s) { return vec<3, T, Q>(a.x * s, a.y * s, a.z * s); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator*(T s, const vec<3, T, Q> &a) { return vec<3, T, Q>(s * a.x, s * a.y, s * a.z); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator/(const vec<3, T, Q> &a, const vec<3, T, Q> &b) { return vec<3, T, Q>(a.x / b.x, a.y / b.y, a.z / b.z); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator/(const vec<3, T, Q> &a, T s) { return vec<3, T, Q>(a.x / s, a.y / s, a.z / s); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator/(T s, const vec<3, T, Q> &a) { return vec<3, T, Q>(s / a.x, s / a.y, s / a.z); }
template <class T, qualifier Q> __host__ __device__ inline bool operator==(const vec<3, T, Q> &a, const vec<3, T, Q> &b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
template <class T, qualifier Q> __host__ __device__ inline bool operator!=(const vec<3, T, Q> &a, const vec<3, T, Q> &b) { return !(a == b); }
template <class T, qualifier Q> __host__ __device__ inline T dot(const vec<3, T, Q> &a, const vec<3, T, Q> &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> min(const vec<3, T, Q> &a, const vec<3, T, Q> &b) { return vec<3, T, Q>(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> max(const vec<3, T, Q> &a, const vec<3, T, Q> &b) { return vec<3, T, Q>(b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> min(const vec<3, T, Q> &a, T s) { return glm::min(a, vec<3, T, Q>(s)); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> max(const vec<3, T, Q> &a, T s) { return glm::max(a, vec<3, T, Q>(s)); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> abs(const vec<3, T, Q> &a) { return vec<3, T, Q>(::fabs(a.x), ::fabs(a.y), ::fabs(a.z)); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> sqrt(const vec<3, T, Q> &a) { return vec<3, T, Q>(::sqrt(a.x), ::sqrt(a.y), ::sqrt(a.z)); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> exp(const vec<3, T, Q> &a) { return vec<3, T, Q>(::exp(a.x), ::exp(a.y), ::exp(a.z)); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> sin(const vec<3, T, Q> &a) { return vec<3, T, Q>(::sin(a.x), ::sin(a.y), ::sin(a.z)); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> cos(const vec<3, T, Q> &a) { return vec<3, T, Q>(::cos(a.x), ::cos(a.y), ::cos(a.z)); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> floor(const vec<3, T, Q> &a) { return vec<3, T, Q>(::floor(a.x), ::floor(a.y), ::floor(a.z)); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> ceil(const vec<3, T, Q> &a) { return vec<3, T, Q>(::ceil(a.x), ::ceil(a.y), ::ceil(a.z)); }
template <class T> __host__ __device__ inline vec<3, T> make_vec3(const T *p) { return vec<3, T>(p[0], p[1], p[2]); }
template <class T, qualifier Q> __host__ __device__ inline const T *value_ptr(const vec<3, T, Q> &a) { return &a.x; }
template <class T, qualifier Q> struct vec<4, T, Q> {
  typedef T value_type;
  T x, y, z, w;
  __host__ __device__ vec() {}
  __host__ __device__ explicit vec(T s) : x(s), y(s), z(s), w(s) {}
  template <class X_, class Y_, class Z_, class W_> __host__ __device__ vec(X_ a0, Y_ a1, Z_ a2, W_ a3) : x(T(a0)), y(T(a1)), z(T(a2)), w(T(a3)) {}
  template <class U> __host__ __device__ vec(const vec<3, U, Q> &v, T c) : x(v.x), y(v.y), z(v.z), w(c) {}
  template <class U> __host__ __device__ explicit vec(const vec<4, U, Q> &v) : x(T(v.x)), y(T(v.y)), z(T(v.z)), w(T(v.w)) {}
  static __host__ __device__ constexpr int length() { return 4; }
  __host__ __device__ T &operator[](int i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  __host__ __device__ const T &operator[](int i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  template <class U> __host__ __device__ vec<4, T, Q> &operator+=(const vec<4, U, Q> &o) { x += o.x; y += o.y; z += o.z; w += o.w; return *this; }
  __host__ __device__ vec<4, T, Q> &operator+=(T s) { x += s; y += s; z += s; w += s; return *this; }
  template <class U> __host__ __device__ vec<4, T, Q> &operator-=(const vec<4, U, Q> &o) { x -= o.x; y -= o.y; z -= o.z; w -= o.w; return *this; }
  __host__ __device__ vec<4, T, Q> &operator-=(T s) { x -= s; y -= s; z -= s; w -= s; return *this; }
  template <class U> __host__ __device__ vec<4, T, Q> &operator*=(const vec<4, U, Q> &o) { x *= o.x; y *= o.y; z *= o.z; w *= o.w; return *this; }
  __host__ __device__ vec<4, T, Q> &operator*=(T s) { x *= s; y *= s; z *= s; w *= s; return *this; }
  template <class U> __host__ __device__ vec<4, T, Q> &operator/=(const vec<4, U, Q> &o) { x /= o.x; y /= o.y; z /= o.z; w /= o.w; return *this; }
  __host__ __device__ vec<4, T, Q> &operator/=(T s) { x /= s; y /= s; z /= s; w /= s; return *this; }
};
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator-(const vec<4, T, Q> &a) { return vec<4, T, Q>(-a.x, -a.y, -a.z, -a.w); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator+(const vec<4, T, Q> &a, const vec<4, T, Q> &b) { return vec<4, T, Q>(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator+(const vec<4, T, Q> &a, T s) { return vec<4, T, Q>(a.x + s, a.y + s, a.z + s, a.w + s); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator+(T s, const vec<4, T, Q> &a) { return vec<4, T, Q>(s + a.x, s + a.y, s + a.z, s + a.w); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator-(const vec<4, T, Q> &a, const vec<4, T, Q> &b) { return vec<4, T, Q>(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator-(const vec<4, T, Q> &a, T s) { return vec<4, T, Q>(a.x - s, a.y - s, a.z - s, a.w - s); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator-(T s, const vec<4, T, Q> &a) { return vec<4, T, Q>(s - a.x, s - a.y, s - a.z, s - a.w); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator*(const vec<4, T, Q> &a, const vec<4, T, Q> &b) { return vec<4, T, Q>(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator*(const vec<4, T, Q> &a, T s) { return vec<4, T, Q>(a.x * s, a.y * s, a.z * s, a.w * s); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator*(T s, const vec<4, T, Q> &a) { return vec<4, T, Q>(s * a.x, s * a.y, s * a.z, s * a.w); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator/(const vec<4, T, Q> &a, const vec<4, T, Q> &b) { return vec<4, T, Q>(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator/(const vec<4, T, Q> &a, T s) { return vec<4, T, Q>(a.x / s, a.y / s, a.z / s, a.w / s); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator/(T s, const vec<4, T, Q> &a) { return vec<4, T, Q>(s / a.x, s / a.y, s / a.z, s / a.w); }
template <class T, qualifier Q> __host__ __device__ inline bool operator==(const vec<4, T, Q> &a, const vec<4, T, Q> &b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }
template <class T, qualifier Q> __host__ __device__ inline bool operator!=(const vec<4, T, Q> &a, const vec<4, T, Q> &b) { return !(a == b); }
template <class T, qualifier Q> __host__ __device__ inline T dot(const vec<4, T, Q> &a, const vec<4, T, Q> &b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> min(const vec<4, T, Q> &a, const vec<4, T, Q> &b) { return vec<4, T, Q>(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z, b.w < a.w ? b.w : a.w); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> max(const vec<4, T, Q> &a, const vec<4, T, Q> &b) { return vec<4, T, Q>(b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z, b.w > a.w ? b.w : a.w); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> min(const vec<4, T, Q> &a, T s) { return glm::min(a, vec<4, T, Q>(s)); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> max(const vec<4, T, Q> &a, T s) { return glm::max(a, vec<4, T, Q>(s)); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> abs(const vec<4, T, Q> &a) { return vec<4, T, Q>(::fabs(a.x), ::fabs(a.y), ::fabs(a.z), ::fabs(a.w)); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> sqrt(const vec<4, T, Q> &a) { return vec<4, T, Q>(::sqrt(a.x), ::sqrt(a.y), ::sqrt(a.z), ::sqrt(a.w)); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> exp(const vec<4, T, Q> &a) { return vec<4, T, Q>(::exp(a.x), ::exp(a.y), ::exp(a.z), ::exp(a.w)); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> sin(const vec<4, T, Q> &a) { return vec<4, T, Q>(::sin(a.x), ::sin(a.y), ::sin(a.z), ::sin(a.w)); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> cos(const vec<4, T, Q> &a) { return vec<4, T, Q>(::cos(a.x), ::cos(a.y), ::cos(a.z), ::cos(a.w)); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> floor(const vec<4, T, Q> &a) { return vec<4, T, Q>(::floor(a.x), ::floor(a.y), ::floor(a.z), ::floor(a.w)); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> ceil(const vec<4, T, Q> &a) { return vec<4, T, Q>(::ceil(a.x), ::ceil(a.y), ::ceil(a.z), ::ceil(a.w)); }
template <class T> __host__ __device__ inline vec<4, T> make_vec4(const T *p) { return vec<4, T>(p[0], p[1], p[2], p[3]); }
template <class T, qualifier Q> __host__ __device__ inline const T *value_ptr(const vec<4, T, Q> &a) { return &a.x; }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> cross(const vec<3, T, Q> &a, const vec<3, T, Q> &b) { return vec<3, T, Q>(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y); }
template <int L, class T, qualifier Q> __host__ __device__ inline T length(const vec<L, T, Q> &a) { return ::sqrt(dot(a, a)); }
template <int L, class T, qualifier Q> __host__ __device__ inline T length2(const vec<L, T, Q> &a) { return dot(a, a); }
template <int L, class T, qualifier Q> __host__ __device__ inline T distance(const vec<L, T, Q> &a, const vec<L, T, Q> &b) { return length(b - a); }
template <int L, class T, qualifier Q> __host__ __device__ inline vec<L, T, Q> normalize(const vec<L, T, Q> &a) { return a * (T(1) / ::sqrt(dot(a, a))); }
template <int L, class T, qualifier Q> __host__ __device__ inline vec<L, T, Q> clamp(const vec<L, T, Q> &a, T low, T high) { return glm::min(glm::max(a, low), high); }
template <int L, class T, qualifier Q> __host__ __device__ inline vec<L, T, Q> clamp(const vec<L, T, Q> &a, const vec<L, T, Q> &low, const vec<L, T, Q> &high) { return glm::min(glm::max(a, low), high); }
template <int L, class T, qualifier Q> __host__ __device__ inline vec<L, T, Q> mix(const vec<L, T, Q> &a, const vec<L, T, Q> &b, T t) { return a * (T(1) - t) + b * t; }
template <int L, class T, qualifier Q> __host__ __device__ inline vec<L, T, Q> lerp(const vec<L, T, Q> &a, const vec<L, T, Q> &b, T t) { return mix(a, b, t); }
template <int L, class T, qualifier Q> __host__ __device__ inline vec<L, T, Q> reflect(const vec<L, T, Q> &a, const vec<L, T, Q> &n) { return a - n * dot(n, a) * T(2); }
template <class T> __host__ __device__ inline T abs(T a) { return ::fabs(a); }
template <class T> __host__ __device__ inline T sqrt(T a) { return ::sqrt(a); }
template <class T> __host__ __device__ inline T exp(T a) { return ::exp(a); }
template <class T> __host__ __device__ inline T log(T a) { return ::log(a); }
template <class T> __host__ __device__ inline T sin(T a) { return ::sin(a); }
template <class T> __host__ __device__ inline T cos(T a) { return ::cos(a); }
template <class T> __host__ __device__ inline T tan(T a) { return ::tan(a); }
template <class T> __host__ __device__ inline T acos(T a) { return ::acos(a); }
template <class T> __host__ __device__ inline T asin(T a) { return ::asin(a); }
template <class T> __host__ __device__ inline T atan(T a) { return ::atan(a); }
template <class T> __host__ __device__ inline T floor(T a) { return ::floor(a); }
template <class T> __host__ __device__ inline T ceil(T a) { return ::ceil(a); }
template <class T> __host__ __device__ inline T atan(T y, T x) { return ::atan2(y, x); }
template <class T> __host__ __device__ inline T pow(T a, T b) { return ::pow(a, b); }
template <class T> __host__ __device__ inline T min(T a, T b) { return b < a ? b : a; }
template <class T> __host__ __device__ inline T max(T a, T b) { return b > a ? b : a; }
template <class T> __host__ __device__ inline T clamp(T a, T low, T high) { return glm::min(glm::max(a, low), high); }
template <class T> __host__ __device__ inline T mix(T a, T b, T t) { return a * (T(1) - t) + b * t; }
template <class T, qualifier Q> struct mat<2, 2, T, Q> {
  typedef vec<2, T, Q> col_type;
  typedef T value_type;
  vec<2, T, Q> c0, c1;
  __host__ __device__ mat() {}
  __host__ __device__ explicit mat(T s) : c0(s, T(0)), c1(T(0), s) {}
  __host__ __device__ mat(T m00, T m01, T m10, T m11) : c0(m00, m01), c1(m10, m11) {}
  __host__ __device__ mat(const vec<2, T, Q> &a0, const vec<2, T, Q> &a1) : c0(a0), c1(a1) {}
  __host__ __device__ vec<2, T, Q> &operator[](int i) { return i == 0 ? c0 : c1; }
  __host__ __device__ const vec<2, T, Q> &operator[](int i) const { return i == 0 ? c0 : c1; }
  __host__ __device__ mat<2, 2, T, Q> &operator+=(const mat<2, 2, T, Q> &o) { c0 += o.c0; c1 += o.c1; return *this; }
  __host__ __device__ mat<2, 2, T, Q> &operator-=(const mat<2, 2, T, Q> &o) { c0 -= o.c0; c1 -= o.c1; return *this; }
  __host__ __device__ mat<2, 2, T, Q> &operator*=(T s) { c0 *= s; c1 *= s; return *this; }
};
template <class T, qualifier Q> __host__ __device__ inline mat<2, 2, T, Q> operator-(const mat<2, 2, T, Q> &a) { return mat<2, 2, T, Q>(-a.c0, -a.c1); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 2, T, Q> operator+(const mat<2, 2, T, Q> &a, const mat<2, 2, T, Q> &b) { return mat<2, 2, T, Q>(a.c0 + b.c0, a.c1 + b.c1); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 2, T, Q> operator-(const mat<2, 2, T, Q> &a, const mat<2, 2, T, Q> &b) { return mat<2, 2, T, Q>(a.c0 - b.c0, a.c1 - b.c1); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 2, T, Q> operator*(const mat<2, 2, T, Q> &a, T s) { return mat<2, 2, T, Q>(a.c0 * s, a.c1 * s); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 2, T, Q> operator*(T s, const mat<2, 2, T, Q> &a) { return mat<2, 2, T, Q>(a.c0 * s, a.c1 * s); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 2, T, Q> operator/(const mat<2, 2, T, Q> &a, T s) { return mat<2, 2, T, Q>(a.c0 / s, a.c1 / s); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator*(const mat<2, 2, T, Q> &m, const vec<2, T, Q> &v) {
  return vec<2, T, Q>(m.c0.x * v.x + m.c1.x * v.y, m.c0.y * v.x + m.c1.y * v.y);
}
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator*(const vec<2, T, Q> &v, const mat<2, 2, T, Q> &m) { return vec<2, T, Q>(dot(v, m.c0), dot(v, m.c1)); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 2, T, Q> transpose(const mat<2, 2, T, Q> &m) { return mat<2, 2, T, Q>(m.c0.x, m.c1.x, m.c0.y, m.c1.y); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 2, T, Q> outerProduct(const vec<2, T, Q> &a, const vec<2, T, Q> &b) { return mat<2, 2, T, Q>(a * b.x, a * b.y); }
template <class T> __host__ __device__ inline mat<2, 2, T> make_mat2(const T *p) { return mat<2, 2, T>(p[0], p[1], p[2], p[3]); }
template <class T, qualifier Q> struct mat<3, 3, T, Q> {
  typedef vec<3, T, Q> col_type;
  typedef T value_type;
  vec<3, T, Q> c0, c1, c2;
  __host__ __device__ mat() {}
  __host__ __device__ explicit mat(T s) : c0(s, T(0), T(0)), c1(T(0), s, T(0)), c2(T(0), T(0), s) {}
  __host__ __device__ mat(T m00, T m01, T m02, T m10, T m11, T m12, T m20, T m21, T m22) : c0(m00, m01, m02), c1(m10, m11, m12), c2(m20, m21, m22) {}
  __host__ __device__ mat(const vec<3, T, Q> &a0, const vec<3, T, Q> &a1, const vec<3, T, Q> &a2) : c0(a0), c1(a1), c2(a2) {}
  template <class U> __host__ __device__ explicit mat(const mat<4, 4, U, Q> &m) : c0(m.c0), c1(m.c1), c2(m.c2) {}
  __host__ __device__ vec<3, T, Q> &operator[](int i) { return i == 0 ? c0 : i == 1 ? c1 : c2; }
  __host__ __device__ const vec<3, T, Q> &operator[](int i) const { return i == 0 ? c0 : i == 1 ? c1 : c2; }
  __host__ __device__ mat<3, 3, T, Q> &operator+=(const mat<3, 3, T, Q> &o) { c0 += o.c0; c1 += o.c1; c2 += o.c2; return *this; }
  __host__ __device__ mat<3, 3, T, Q> &operator-=(const mat<3, 3, T, Q> &o) { c0 -= o.c0; c1 -= o.c1; c2 -= o.c2; return *this; }
  __host__ __device__ mat<3, 3, T, Q> &operator*=(T s) { c0 *= s; c1 *= s; c2 *= s; return *this; }
};
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> operator-(const mat<3, 3, T, Q> &a) { return mat<3, 3, T, Q>(-a.c0, -a.c1, -a.c2); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> operator+(const mat<3, 3, T, Q> &a, const mat<3, 3, T, Q> &b) { return mat<3, 3, T, Q>(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> operator-(const mat<3, 3, T, Q> &a, const mat<3, 3, T, Q> &b) { return mat<3, 3, T, Q>(a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> operator*(const mat<3, 3, T, Q> &a, T s) { return mat<3, 3, T, Q>(a.c0 * s, a.c1 * s, a.c2 * s); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> operator*(T s, const mat<3, 3, T, Q> &a) { return mat<3, 3, T, Q>(a.c0 * s, a.c1 * s, a.c2 * s); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> operator/(const mat<3, 3, T, Q> &a, T s) { return mat<3, 3, T, Q>(a.c0 / s, a.c1 / s, a.c2 / s); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator*(const mat<3, 3, T, Q> &m, const vec<3, T, Q> &v) {
  return vec<3, T, Q>(m.c0.x * v.x + m.c1.x * v.y + m.c2.x * v.z, m.c0.y * v.x + m.c1.y * v.y + m.c2.y * v.z, m.c0.z * v.x + m.c1.z * v.y + m.c2.z * v.z);
}
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator*(const vec<3, T, Q> &v, const mat<3, 3, T, Q> &m) { return vec<3, T, Q>(dot(v, m.c0), dot(v, m.c1), dot(v, m.c2)); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> transpose(const mat<3, 3, T, Q> &m) { return mat<3, 3, T, Q>(m.c0.x, m.c1.x, m.c2.x, m.c0.y, m.c1.y, m.c2.y, m.c0.z, m.c1.z, m.c2.z); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> outerProduct(const vec<3, T, Q> &a, const vec<3, T, Q> &b) { return mat<3, 3, T, Q>(a * b.x, a * b.y, a * b.z); }
template <class T> __host__ __device__ inline mat<3, 3, T> make_mat3(const T *p) { return mat<3, 3, T>(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]); }
template <class T, qualifier Q> struct mat<4, 4, T, Q> {
  typedef vec<4, T, Q> col_type;
  typedef T value_type;
  vec<4, T, Q> c0, c1, c2, c3;
  __host__ __device__ mat() {}
  __host__ __device__ explicit mat(T s) : c0(s, T(0), T(0), T(0)), c1(T(0), s, T(0), T(0)), c2(T(0), T(0), s, T(0)), c3(T(0), T(0), T(0), s) {}
  __host__ __device__ mat(T m00, T m01, T m02, T m03, T m10, T m11, T m12, T m13, T m20, T m21, T m22, T m23, T m30, T m31, T m32, T m33) : c0(m00, m01, m02, m03), c1(m10, m11, m12, m13), c2(m20, m21, m22, m23), c3(m30, m31, m32, m33) {}
  __host__ __device__ mat(const vec<4, T, Q> &a0, const vec<4, T, Q> &a1, const vec<4, T, Q> &a2, const vec<4, T, Q> &a3) : c0(a0), c1(a1), c2(a2), c3(a3) {}
  __host__ __device__ vec<4, T, Q> &operator[](int i) { return i == 0 ? c0 : i == 1 ? c1 : i == 2 ? c2 : c3; }
  __host__ __device__ const vec<4, T, Q> &operator[](int i) const { return i == 0 ? c0 : i == 1 ? c1 : i == 2 ? c2 : c3; }
  __host__ __device__ mat<4, 4, T, Q> &operator+=(const mat<4, 4, T, Q> &o) { c0 += o.c0; c1 += o.c1; c2 += o.c2; c3 += o.c3; return *this; }
  __host__ __device__ mat<4, 4, T, Q> &operator-=(const mat<4, 4, T, Q> &o) { c0 -= o.c0; c1 -= o.c1; c2 -= o.c2; c3 -= o.c3; return *this; }
  __host__ __device__ mat<4, 4, T, Q> &operator*=(T s) { c0 *= s; c1 *= s; c2 *= s; c3 *= s; return *this; }
};
template <class T, qualifier Q> __host__ __device__ inline mat<4, 4, T, Q> operator-(const mat<4, 4, T, Q> &a) { return mat<4, 4, T, Q>(-a.c0, -a.c1, -a.c2, -a.c3); }
template <class T, qualifier Q> __host__ __device__ inline mat<4, 4, T, Q> operator+(const mat<4, 4, T, Q> &a, const mat<4, 4, T, Q> &b) { return mat<4, 4, T, Q>(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2, a.c3 + b.c3); }
template <class T, qualifier Q> __host__ __device__ inline mat<4, 4, T, Q> operator-(const mat<4, 4, T, Q> &a, const mat<4, 4, T, Q> &b) { return mat<4, 4, T, Q>(a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2, a.c3 - b.c3); }
template <class T, qualifier Q> __host__ __device__ inline mat<4, 4, T, Q> operator*(const mat<4, 4, T, Q> &a, T s) { return mat<4, 4, T, Q>(a.c0 * s, a.c1 * s, a.c2 * s, a.c3 * s); }
template <class T, qualifier Q> __host__ __device__ inline mat<4, 4, T, Q> operator*(T s, const mat<4, 4, T, Q> &a) { return mat<4, 4, T, Q>(a.c0 * s, a.c1 * s, a.c2 * s, a.c3 * s); }
template <class T, qualifier Q> __host__ __device__ inline mat<4, 4, T, Q> operator/(const mat<4, 4, T, Q> &a, T s) { return mat<4, 4, T, Q>(a.c0 / s, a.c1 / s, a.c2 / s, a.c3 / s); }
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator*(const mat<4, 4, T, Q> &m, const vec<4, T, Q> &v) {
  return vec<4, T, Q>(m.c0.x * v.x + m.c1.x * v.y + m.c2.x * v.z + m.c3.x * v.w, m.c0.y * v.x + m.c1.y * v.y + m.c2.y * v.z + m.c3.y * v.w, m.c0.z * v.x + m.c1.z * v.y + m.c2.z * v.z + m.c3.z * v.w, m.c0.w * v.x + m.c1.w * v.y + m.c2.w * v.z + m.c3.w * v.w);
}
template <class T, qualifier Q> __host__ __device__ inline vec<4, T, Q> operator*(const vec<4, T, Q> &v, const mat<4, 4, T, Q> &m) { return vec<4, T, Q>(dot(v, m.c0), dot(v, m.c1), dot(v, m.c2), dot(v, m.c3)); }
template <class T, qualifier Q> __host__ __device__ inline mat<4, 4, T, Q> transpose(const mat<4, 4, T, Q> &m) { return mat<4, 4, T, Q>(m.c0.x, m.c1.x, m.c2.x, m.c3.x, m.c0.y, m.c1.y, m.c2.y, m.c3.y, m.c0.z, m.c1.z, m.c2.z, m.c3.z, m.c0.w, m.c1.w, m.c2.w, m.c3.w); }
template <class T, qualifier Q> __host__ __device__ inline mat<4, 4, T, Q> outerProduct(const vec<4, T, Q> &a, const vec<4, T, Q> &b) { return mat<4, 4, T, Q>(a * b.x, a * b.y, a * b.z, a * b.w); }
template <class T> __host__ __device__ inline mat<4, 4, T> make_mat4(const T *p) { return mat<4, 4, T>(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15]); }
template <class T, qualifier Q> struct mat<3, 2, T, Q> {
  typedef vec<2, T, Q> col_type;
  typedef T value_type;
  vec<2, T, Q> c0, c1, c2;
  __host__ __device__ mat() {}
  __host__ __device__ explicit mat(T s) : c0(s, T(0)), c1(T(0), s), c2(T(0), T(0)) {}
  __host__ __device__ mat(T m00, T m01, T m10, T m11, T m20, T m21) : c0(m00, m01), c1(m10, m11), c2(m20, m21) {}
  __host__ __device__ mat(const vec<2, T, Q> &a0, const vec<2, T, Q> &a1, const vec<2, T, Q> &a2) : c0(a0), c1(a1), c2(a2) {}
  __host__ __device__ vec<2, T, Q> &operator[](int i) { return i == 0 ? c0 : i == 1 ? c1 : c2; }
  __host__ __device__ const vec<2, T, Q> &operator[](int i) const { return i == 0 ? c0 : i == 1 ? c1 : c2; }
  __host__ __device__ mat<3, 2, T, Q> &operator+=(const mat<3, 2, T, Q> &o) { c0 += o.c0; c1 += o.c1; c2 += o.c2; return *this; }
  __host__ __device__ mat<3, 2, T, Q> &operator-=(const mat<3, 2, T, Q> &o) { c0 -= o.c0; c1 -= o.c1; c2 -= o.c2; return *this; }
  __host__ __device__ mat<3, 2, T, Q> &operator*=(T s) { c0 *= s; c1 *= s; c2 *= s; return *this; }
};
template <class T, qualifier Q> __host__ __device__ inline mat<3, 2, T, Q> operator-(const mat<3, 2, T, Q> &a) { return mat<3, 2, T, Q>(-a.c0, -a.c1, -a.c2); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 2, T, Q> operator+(const mat<3, 2, T, Q> &a, const mat<3, 2, T, Q> &b) { return mat<3, 2, T, Q>(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 2, T, Q> operator-(const mat<3, 2, T, Q> &a, const mat<3, 2, T, Q> &b) { return mat<3, 2, T, Q>(a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 2, T, Q> operator*(const mat<3, 2, T, Q> &a, T s) { return mat<3, 2, T, Q>(a.c0 * s, a.c1 * s, a.c2 * s); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 2, T, Q> operator*(T s, const mat<3, 2, T, Q> &a) { return mat<3, 2, T, Q>(a.c0 * s, a.c1 * s, a.c2 * s); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 2, T, Q> operator/(const mat<3, 2, T, Q> &a, T s) { return mat<3, 2, T, Q>(a.c0 / s, a.c1 / s, a.c2 / s); }
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator*(const mat<3, 2, T, Q> &m, const vec<3, T, Q> &v) {
  return vec<2, T, Q>(m.c0.x * v.x + m.c1.x * v.y + m.c2.x * v.z, m.c0.y * v.x + m.c1.y * v.y + m.c2.y * v.z);
}
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator*(const vec<2, T, Q> &v, const mat<3, 2, T, Q> &m) { return vec<3, T, Q>(dot(v, m.c0), dot(v, m.c1), dot(v, m.c2)); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 3, T, Q> transpose(const mat<3, 2, T, Q> &m) { return mat<2, 3, T, Q>(m.c0.x, m.c1.x, m.c2.x, m.c0.y, m.c1.y, m.c2.y); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 2, T, Q> outerProduct(const vec<2, T, Q> &a, const vec<3, T, Q> &b) { return mat<3, 2, T, Q>(a * b.x, a * b.y, a * b.z); }
template <class T> __host__ __device__ inline mat<3, 2, T> make_mat3x2(const T *p) { return mat<3, 2, T>(p[0], p[1], p[2], p[3], p[4], p[5]); }
template <class T, qualifier Q> struct mat<2, 3, T, Q> {
  typedef vec<3, T, Q> col_type;
  typedef T value_type;
  vec<3, T, Q> c0, c1;
  __host__ __device__ mat() {}
  __host__ __device__ explicit mat(T s) : c0(s, T(0), T(0)), c1(T(0), s, T(0)) {}
  __host__ __device__ mat(T m00, T m01, T m02, T m10, T m11, T m12) : c0(m00, m01, m02), c1(m10, m11, m12) {}
  __host__ __device__ mat(const vec<3, T, Q> &a0, const vec<3, T, Q> &a1) : c0(a0), c1(a1) {}
  __host__ __device__ vec<3, T, Q> &operator[](int i) { return i == 0 ? c0 : c1; }
  __host__ __device__ const vec<3, T, Q> &operator[](int i) const { return i == 0 ? c0 : c1; }
  __host__ __device__ mat<2, 3, T, Q> &operator+=(const mat<2, 3, T, Q> &o) { c0 += o.c0; c1 += o.c1; return *this; }
  __host__ __device__ mat<2, 3, T, Q> &operator-=(const mat<2, 3, T, Q> &o) { c0 -= o.c0; c1 -= o.c1; return *this; }
  __host__ __device__ mat<2, 3, T, Q> &operator*=(T s) { c0 *= s; c1 *= s; return *this; }
};
template <class T, qualifier Q> __host__ __device__ inline mat<2, 3, T, Q> operator-(const mat<2, 3, T, Q> &a) { return mat<2, 3, T, Q>(-a.c0, -a.c1); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 3, T, Q> operator+(const mat<2, 3, T, Q> &a, const mat<2, 3, T, Q> &b) { return mat<2, 3, T, Q>(a.c0 + b.c0, a.c1 + b.c1); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 3, T, Q> operator-(const mat<2, 3, T, Q> &a, const mat<2, 3, T, Q> &b) { return mat<2, 3, T, Q>(a.c0 - b.c0, a.c1 - b.c1); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 3, T, Q> operator*(const mat<2, 3, T, Q> &a, T s) { return mat<2, 3, T, Q>(a.c0 * s, a.c1 * s); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 3, T, Q> operator*(T s, const mat<2, 3, T, Q> &a) { return mat<2, 3, T, Q>(a.c0 * s, a.c1 * s); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 3, T, Q> operator/(const mat<2, 3, T, Q> &a, T s) { return mat<2, 3, T, Q>(a.c0 / s, a.c1 / s); }
template <class T, qualifier Q> __host__ __device__ inline vec<3, T, Q> operator*(const mat<2, 3, T, Q> &m, const vec<2, T, Q> &v) {
  return vec<3, T, Q>(m.c0.x * v.x + m.c1.x * v.y, m.c0.y * v.x + m.c1.y * v.y, m.c0.z * v.x + m.c1.z * v.y);
}
template <class T, qualifier Q> __host__ __device__ inline vec<2, T, Q> operator*(const vec<3, T, Q> &v, const mat<2, 3, T, Q> &m) { return vec<2, T, Q>(dot(v, m.c0), dot(v, m.c1)); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 2, T, Q> transpose(const mat<2, 3, T, Q> &m) { return mat<3, 2, T, Q>(m.c0.x, m.c1.x, m.c0.y, m.c1.y, m.c0.z, m.c1.z); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 3, T, Q> outerProduct(const vec<3, T, Q> &a, const vec<2, T, Q> &b) { return mat<2, 3, T, Q>(a * b.x, a * b.y); }
template <class T> __host__ __device__ inline mat<2, 3, T> make_mat2x3(const T *p) { return mat<2, 3, T>(p[0], p[1], p[2], p[3], p[4], p[5]); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 2, T, Q> operator*(const mat<2, 2, T, Q> &a, const mat<2, 2, T, Q> &b) { return mat<2, 2, T, Q>(a * b.c0, a * b.c1); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> operator*(const mat<3, 3, T, Q> &a, const mat<3, 3, T, Q> &b) { return mat<3, 3, T, Q>(a * b.c0, a * b.c1, a * b.c2); }
template <class T, qualifier Q> __host__ __device__ inline mat<4, 4, T, Q> operator*(const mat<4, 4, T, Q> &a, const mat<4, 4, T, Q> &b) { return mat<4, 4, T, Q>(a * b.c0, a * b.c1, a * b.c2, a * b.c3); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 2, T, Q> operator*(const mat<3, 2, T, Q> &a, const mat<3, 3, T, Q> &b) { return mat<3, 2, T, Q>(a * b.c0, a * b.c1, a * b.c2); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> operator*(const mat<2, 3, T, Q> &a, const mat<3, 2, T, Q> &b) { return mat<3, 3, T, Q>(a * b.c0, a * b.c1, a * b.c2); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 2, T, Q> operator*(const mat<3, 2, T, Q> &a, const mat<2, 3, T, Q> &b) { return mat<2, 2, T, Q>(a * b.c0, a * b.c1); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 3, T, Q> operator*(const mat<2, 3, T, Q> &a, const mat<2, 2, T, Q> &b) { return mat<2, 3, T, Q>(a * b.c0, a * b.c1); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 2, T, Q> operator*(const mat<2, 2, T, Q> &a, const mat<3, 2, T, Q> &b) { return mat<3, 2, T, Q>(a * b.c0, a * b.c1, a * b.c2); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 3, T, Q> operator*(const mat<3, 3, T, Q> &a, const mat<2, 3, T, Q> &b) { return mat<2, 3, T, Q>(a * b.c0, a * b.c1); }
template <class T, qualifier Q> __host__ __device__ inline T determinant(const mat<2, 2, T, Q> &m) { return m.c0.x * m.c1.y - m.c1.x * m.c0.y; }
template <class T, qualifier Q> __host__ __device__ inline T determinant(const mat<3, 3, T, Q> &m) { return dot(m.c0, cross(m.c1, m.c2)); }
template <class T, qualifier Q> __host__ __device__ inline mat<2, 2, T, Q> inverse(const mat<2, 2, T, Q> &m) {
  T d = T(1) / determinant(m);
  return mat<2, 2, T, Q>(m.c1.y * d, -m.c0.y * d, -m.c1.x * d, m.c0.x * d);
}
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> inverse(const mat<3, 3, T, Q> &m) {
  T d = T(1) / determinant(m);
  return transpose(mat<3, 3, T, Q>(cross(m.c1, m.c2) * d, cross(m.c2, m.c0) * d, cross(m.c0, m.c1) * d));
}
template <class T, qualifier Q = defaultp> struct qua {
  T x, y, z, w;
  __host__ __device__ qua() {}
  __host__ __device__ qua(T w, T x, T y, T z) : x(x), y(y), z(z), w(w) {}
};
template <class T, qualifier Q> __host__ __device__ inline T dot(const qua<T, Q> &a, const qua<T, Q> &b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
template <class T, qualifier Q> __host__ __device__ inline T length(const qua<T, Q> &a) { return ::sqrt(dot(a, a)); }
template <class T, qualifier Q> __host__ __device__ inline qua<T, Q> operator*(const qua<T, Q> &a, T s) { return qua<T, Q>(a.w * s, a.x * s, a.y * s, a.z * s); }
template <class T, qualifier Q> __host__ __device__ inline qua<T, Q> operator*(T s, const qua<T, Q> &a) { return qua<T, Q>(a.w * s, a.x * s, a.y * s, a.z * s); }
template <class T, qualifier Q> __host__ __device__ inline qua<T, Q> operator+(const qua<T, Q> &a, const qua<T, Q> &b) { return qua<T, Q>(a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z); }
template <class T, qualifier Q> __host__ __device__ inline qua<T, Q> operator-(const qua<T, Q> &a) { return qua<T, Q>(-a.w, -a.x, -a.y, -a.z); }
template <class T, qualifier Q> __host__ __device__ inline qua<T, Q> normalize(const qua<T, Q> &a) { return a * (T(1) / length(a)); }
template <class T, qualifier Q> __host__ __device__ inline mat<3, 3, T, Q> mat3_cast(const qua<T, Q> &q) {
  T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return mat<3, 3, T, Q>(1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy), 2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx), 2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy));
}
typedef vec<2, float> vec2; typedef vec<3, float> vec3; typedef vec<4, float> vec4;
typedef vec<2, float> fvec2; typedef vec<3, float> fvec3; typedef vec<4, float> fvec4;
typedef vec<2, double> dvec2; typedef vec<3, double> dvec3; typedef vec<4, double> dvec4;
typedef vec<2, int> ivec2; typedef vec<3, int> ivec3; typedef vec<4, int> ivec4;
typedef vec<2, unsigned> uvec2; typedef vec<3, unsigned> uvec3; typedef vec<4, unsigned> uvec4;
typedef vec<2, bool> bvec2; typedef vec<3, bool> bvec3; typedef vec<4, bool> bvec4;
typedef mat<2, 2, float> mat2; typedef mat<3, 3, float> mat3; typedef mat<4, 4, float> mat4; typedef mat<3, 2, float> mat3x2; typedef mat<2, 3, float> mat2x3;
typedef mat<2, 2, float> fmat2; typedef mat<3, 3, float> fmat3; typedef mat<4, 4, float> fmat4; typedef mat<3, 2, float> fmat3x2; typedef mat<2, 3, float> fmat2x3;
typedef mat<2, 2, double> dmat2; typedef mat<3, 3, double> dmat3; typedef mat<4, 4, double> dmat4; typedef mat<3, 2, double> dmat3x2; typedef mat<2, 3, double> dmat2x3;
typedef qua<float> quat; typedef qua<float> fquat;
}
