// Objects side by side, the last one first (libstdc++ of GCC 12); NAMESPACE comes from `index.txt`.
namespace NAMESPACE {
template <class... T> class tuple;
template <class T0> class tuple<T0> {
  T0 m0;
 public:
  __host__ __device__ constexpr tuple() : m0() {}
  __host__ __device__ constexpr tuple(const T0 &a0) : m0(a0) {}
};
template <class T0, class T1> class tuple<T0, T1> {
  T1 m1;
  T0 m0;
 public:
  __host__ __device__ constexpr tuple() : m0(), m1() {}
  __host__ __device__ constexpr tuple(const T0 &a0, const T1 &a1) : m0(a0), m1(a1) {}
};
template <class T0, class T1, class T2> class tuple<T0, T1, T2> {
  T2 m2;
  T1 m1;
  T0 m0;
 public:
  __host__ __device__ constexpr tuple() : m0(), m1(), m2() {}
  __host__ __device__ constexpr tuple(const T0 &a0, const T1 &a1, const T2 &a2) : m0(a0), m1(a1), m2(a2) {}
};
template <class T0, class T1, class T2, class T3> class tuple<T0, T1, T2, T3> {
  T3 m3;
  T2 m2;
  T1 m1;
  T0 m0;
 public:
  __host__ __device__ constexpr tuple() : m0(), m1(), m2(), m3() {}
  __host__ __device__ constexpr tuple(const T0 &a0, const T1 &a1, const T2 &a2, const T3 &a3) : m0(a0), m1(a1), m2(a2), m3(a3) {}
};
template <class T0, class T1, class T2, class T3, class T4> class tuple<T0, T1, T2, T3, T4> {
  T4 m4;
  T3 m3;
  T2 m2;
  T1 m1;
  T0 m0;
 public:
  __host__ __device__ constexpr tuple() : m0(), m1(), m2(), m3(), m4() {}
  __host__ __device__ constexpr tuple(const T0 &a0, const T1 &a1, const T2 &a2, const T3 &a3, const T4 &a4) : m0(a0), m1(a1), m2(a2), m3(a3), m4(a4) {}
};
template <class T0, class T1, class T2, class T3, class T4, class T5> class tuple<T0, T1, T2, T3, T4, T5> {
  T5 m5;
  T4 m4;
  T3 m3;
  T2 m2;
  T1 m1;
  T0 m0;
 public:
  __host__ __device__ constexpr tuple() : m0(), m1(), m2(), m3(), m4(), m5() {}
  __host__ __device__ constexpr tuple(const T0 &a0, const T1 &a1, const T2 &a2, const T3 &a3, const T4 &a4, const T5 &a5) : m0(a0), m1(a1), m2(a2), m3(a3), m4(a4), m5(a5) {}
};
template <unsigned long I, class... T> __host__ __device__ constexpr auto &get(tuple<T...> &t) {
  if constexpr (I == 0) return t.m0;
  else if constexpr (I == 1) return t.m1;
  else if constexpr (I == 2) return t.m2;
  else if constexpr (I == 3) return t.m3;
  else if constexpr (I == 4) return t.m4;
  else if constexpr (I == 5) return t.m5;
}
template <unsigned long I, class... T> __host__ __device__ constexpr const auto &get(const tuple<T...> &t) {
  if constexpr (I == 0) return t.m0;
  else if constexpr (I == 1) return t.m1;
  else if constexpr (I == 2) return t.m2;
  else if constexpr (I == 3) return t.m3;
  else if constexpr (I == 4) return t.m4;
  else if constexpr (I == 5) return t.m5;
}
template <class... T> __host__ __device__ constexpr tuple<T...> make_tuple(T... values) { return tuple<T...>(values...); }
}
