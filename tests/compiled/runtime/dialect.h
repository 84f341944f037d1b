// CUDA's dialect for a C++ compiler of the host: what generated kernels need, and the hooks that their accesses and decisions go through.
#pragma once
typedef long long i64;
typedef unsigned long long u64;
typedef unsigned long size_t;

#define __device__
#define __global__
#define __host__
#define __forceinline__ inline
#define __restrict__
#define warpSize 32

struct uint3 { unsigned x, y, z; };
typedef uint3 dim3;

// --- what the runtime offers (runtime.cpp) ---------------------------------------------------------------------------

namespace wc {
enum Way { READ, WRITE, ATOMIC, UPDATE };  // the last: the load of an update, whose value goes nowhere else
// One request's part: `bytes` at `place`, by the lane that runs now.  Does not come back if nothing lies there.
void touch(const volatile void *place, int bytes, Way way, int site, int part);
bool decided(int site, i64 target);
void region(void *begin, size_t bytes, char space);
// Where the lane is: a number for the calls and the rounds of loops that it is in.
u64 where();
void enter_call(int site);
void leave_call();
void enter_loop();
void round_of(u64 outside, int loop, i64 round);
void leave_loop(u64 outside, int loop, i64 rounds);
void wrapped(int site);
void too_long();
void barrier(int value);
int barrier_sum();
void exchange(unsigned mask, u64 value, u64 *values, unsigned *arrived);
int lane();
uint3 thread_index();
uint3 block_index();
uint3 block_shape();
uint3 grid_shape();

// --- accesses --------------------------------------------------------------------------------------------------------

struct Touch {
  Way way;
  int site, part;
  void one(const volatile void *place, int bytes) { touch(place, bytes, way, site, part++); }
};
template <class T> struct Whole { static const bool value = !__is_class(T); };
template <class T, bool whole = Whole<T>::value> struct Part {
  static void go(const T &object, Touch &t) { parts(object, t); }  // found beside the type
};
template <class T> struct Part<T, true> {
  static void go(const T &object, Touch &t) { t.one((const volatile void *)&object, sizeof(T)); }
};
template <class T, size_t n> struct Part<T[n], true> {
  static void go(const T (&array)[n], Touch &t) { for (size_t i = 0; i < n; i++) Part<T>::go(array[i], t); }
};
template <class T> void part(const T &object, Touch &t) { Part<T>::go(object, t); }

template <class T> inline void touched(const T &object, Way way, int site) { Touch t = {way, site, 0}; part(object, t); }
template <class T> inline T &load(int site, T &object) { touched(object, READ, site); return object; }
template <class T> inline T &store(int site, T &object) { touched(object, WRITE, site); return object; }
template <class T> inline T &both(int site, T &object) { touched(object, UPDATE, site); touched(object, WRITE, site); return object; }
template <class T> inline T *atom(int site, T *place) { touched(*place, ATOMIC, site); return place; }

// --- decisions, loops, calls -----------------------------------------------------------------------------------------

inline bool test(int site, bool taken) { return decided(site, taken); }

// A function of the device: what it does is told apart by who called it.
struct Site { int at; };
struct Frame {
  Frame(Site s) { enter_call(s.at); }
  Frame(void *caller) { enter_call(-1 - (int)((u64)caller & 0xffffff)); }  // an operator: nobody hands it a number
  ~Frame() { leave_call(); }
};

struct Loop {
  int site;
  i64 rounds, untested;  // a `do` makes one round before its first test
  u64 outside;
  Loop(int at, i64 before = 0) : site(at), rounds(0), untested(before), outside(where()) { enter_loop(); round_of(outside, site, 0); }
  ~Loop() { leave_loop(outside, site, untested + rounds); }
  bool test(int at, bool goes_on) {
    decided(at, goes_on);
    return goes_on && test();
  }
  bool test() {
    if (++rounds > 600) too_long();
    round_of(outside, site, rounds);
    return true;
  }
};

struct Switch {
  int site;
  bool landed;
  Switch(int at) : site(at), landed(false) {}
  ~Switch() { land(-1); }  // no arm
  void land(int arm) { if (!landed) { landed = true; decided(site, arm); } }
};

template <class T> struct Counter {
  T &now;
  T before;
  int site, sign;
  Counter(int at, T &variable, int direction) : now(variable), before(variable), site(at), sign(direction) {}
  ~Counter() { if (sign > 0 ? now < before : now > before) wrapped(site); }
};
template <class T> inline T begun(int site, T start) {
  if (T(-1) > T(0) && sizeof(T) >= 4 && start >> (8 * sizeof(T) - 1)) wrapped(site);
  return start;
}

// --- memory ----------------------------------------------------------------------------------------------------------

template <class A> struct Shared {
  alignas(128) A value;
  Shared() { region(&value, sizeof(A), 's'); }
};
// An array of the file begins at any multiple of what its type asks for.
template <class A> struct Device {
  alignas(256) char before[3 * alignof(A)];
  A value;
  Device() { region(&value, sizeof(A), 'd'); }
};
}  // namespace wc

#define threadIdx (wc::thread_index())
#define blockIdx (wc::block_index())
#define blockDim (wc::block_shape())
#define gridDim (wc::grid_shape())
inline void __syncthreads() { wc::barrier(0); }
inline int __syncthreads_count(int p) { wc::barrier(p != 0); return wc::barrier_sum(); }

// --- vector types ----------------------------------------------------------------------------------------------------

#define WC_VECTOR(N, T, A, ...) struct alignas(A) N { T __VA_ARGS__; };
WC_VECTOR(char2, signed char, 2, x, y)
WC_VECTOR(uchar4, unsigned char, 4, x, y, z, w)
WC_VECTOR(short2, short, 4, x, y)
WC_VECTOR(int2, int, 8, x, y)
WC_VECTOR(int4, int, 16, x, y, z, w)
WC_VECTOR(float2, float, 8, x, y)
WC_VECTOR(float3, float, 4, x, y, z)
WC_VECTOR(float4, float, 16, x, y, z, w)
WC_VECTOR(double2, double, 16, x, y)
namespace wc {
#define WC_WHOLE(N) template <> struct Whole<N> { static const bool value = true; }; template <> struct Whole<const N> { static const bool value = true; };
WC_WHOLE(char2) WC_WHOLE(uchar4) WC_WHOLE(short2) WC_WHOLE(int2) WC_WHOLE(int4) WC_WHOLE(float2) WC_WHOLE(float4) WC_WHOLE(double2)
}  // namespace wc
inline void parts(const float3 &v, wc::Touch &t) { t.one(&v.x, 4); t.one(&v.y, 4); t.one(&v.z, 4); }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline int2 make_int2(int x, int y) { return {x, y}; }

// --- functions of the device -----------------------------------------------------------------------------------------

#define WC_EXTREMES(T) inline T min(T a, T b) { return a < b ? a : b; } inline T max(T a, T b) { return a > b ? a : b; }
WC_EXTREMES(int) WC_EXTREMES(unsigned) WC_EXTREMES(i64) WC_EXTREMES(u64) WC_EXTREMES(long) WC_EXTREMES(unsigned long) WC_EXTREMES(float) WC_EXTREMES(double)
inline int abs(int x) { return x < 0 ? -x : x; }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
inline unsigned __brev(unsigned x) { unsigned r = 0; for (int i = 0; i < 32; i++) r |= (x >> i & 1u) << (31 - i); return r; }
inline int __mul24(int a, int b) { return (int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)((int)((unsigned)b << 8) >> 8)); }
inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((u64)a * b >> 32); }

#define WC_ATOMIC(NAME, EXPRESSION) template <class T> inline T NAME(T *p, typename wc::Same<T>::type v) { T old = *p; *p = (T)(EXPRESSION); return old; }
namespace wc { template <class T> struct Same { typedef T type; }; }
WC_ATOMIC(atomicAdd, (u64)old + (u64)v)
WC_ATOMIC(atomicExch, v)
WC_ATOMIC(atomicMax, old > v ? old : v)
WC_ATOMIC(atomicMin, old < v ? old : v)
WC_ATOMIC(atomicOr, old | v)
template <class T> inline T atomicCAS(T *p, typename wc::Same<T>::type c, typename wc::Same<T>::type v) { T old = *p; if (old == c) *p = v; return old; }

namespace wc {
template <class T> inline T taken_from(unsigned mask, T v, int source) {
  u64 bits = 0, all[32];
  unsigned arrived;
  __builtin_memcpy(&bits, &v, sizeof(T));
  exchange(mask, bits, all, &arrived);
  __builtin_memcpy(&v, &all[source & 31], sizeof(T));
  return v;
}
}  // namespace wc
template <class T> inline T __shfl_sync(unsigned m, T v, int source, int width = 32) { return wc::taken_from(m, v, (wc::lane() & ~(width - 1)) | (source & (width - 1))); }
template <class T> inline T __shfl_xor_sync(unsigned m, T v, int x, int width = 32) { int l = wc::lane(), s = l ^ x; return wc::taken_from(m, v, s > (l | (width - 1)) ? l : s); }
template <class T> inline T __shfl_down_sync(unsigned m, T v, unsigned d, int width = 32) { int l = wc::lane(), s = l + (int)d; return wc::taken_from(m, v, s > (l | (width - 1)) ? l : s); }
template <class T> inline T __shfl_up_sync(unsigned m, T v, unsigned d, int width = 32) { int l = wc::lane(), s = l - (int)d; return wc::taken_from(m, v, s < (l & ~(width - 1)) ? l : s); }
inline unsigned __ballot_sync(unsigned m, int p) {
  u64 all[32];
  unsigned arrived, r = 0;
  wc::exchange(m, p != 0, all, &arrived);
  for (int i = 0; i < 32; i++) if ((arrived >> i & 1) && all[i]) r |= 1u << i;
  return r;
}
inline int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
inline void __syncwarp(unsigned m = 0xffffffffu) { __ballot_sync(m, 0); }

// --- kernels of a batch ----------------------------------------------------------------------------------------------

namespace wc {
struct Kernel { const char *name; void (*run)(const i64 *values, void *const *arrays); };
}
extern const wc::Kernel wc_kernels[];
extern const int wc_count;
