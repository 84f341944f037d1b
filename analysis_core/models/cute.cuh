// CuTe as far as indexes need it (CUTLASS 4, "CuTe Layout Algebra"): numbers that are types, shapes, strides, layouts and their parts.  A layout has its
// offset within itself, where CuTe moves a pointer; modes lie within modes at most once, tiles divide modes that have none.
namespace cute {
template <int V> struct C {
  using value_type = int;
  static constexpr int value = V;
  __host__ __device__ constexpr operator int() const { return V; }
  __host__ __device__ constexpr int operator()() const { return V; }
};
template <int V> using Int = C<V>;
template <int A, int B> __host__ __device__ constexpr C<A + B> operator+(C<A>, C<B>) { return C<A + B>(); }
template <int A, int B> __host__ __device__ constexpr C<A - B> operator-(C<A>, C<B>) { return C<A - B>(); }
template <int A, int B> __host__ __device__ constexpr C<A * B> operator*(C<A>, C<B>) { return C<A * B>(); }
template <int A, int B> __host__ __device__ constexpr C<A / B> operator/(C<A>, C<B>) { return C<A / B>(); }
template <int A, int B> __host__ __device__ constexpr C<A % B> operator%(C<A>, C<B>) { return C<A % B>(); }
using _0 = C<0>;
using _1 = C<1>;
using _2 = C<2>;
using _3 = C<3>;
using _4 = C<4>;
using _5 = C<5>;
using _6 = C<6>;
using _7 = C<7>;
using _8 = C<8>;
using _9 = C<9>;
using _10 = C<10>;
using _12 = C<12>;
using _16 = C<16>;
using _24 = C<24>;
using _32 = C<32>;
using _64 = C<64>;
using _96 = C<96>;
using _128 = C<128>;
using _192 = C<192>;
using _256 = C<256>;
struct Underscore {};
constexpr Underscore _ = Underscore();
using X = Underscore;
struct LayoutLeft {};
struct LayoutRight {};
using GenColMajor = LayoutLeft;
using GenRowMajor = LayoutRight;

template <class... T> struct tuple {};
template <class T0> struct tuple<T0> { T0 m0; };
template <class T0, class T1> struct tuple<T0, T1> {
  T0 m0;
  T1 m1;
};
template <class T0, class T1, class T2> struct tuple<T0, T1, T2> {
  T0 m0;
  T1 m1;
  T2 m2;
};
template <class T0, class T1, class T2, class T3> struct tuple<T0, T1, T2, T3> {
  T0 m0;
  T1 m1;
  T2 m2;
  T3 m3;
};
template <class... T> using Shape = tuple<T...>;
template <class... T> using Stride = tuple<T...>;
template <class... T> using Coord = tuple<T...>;
template <class... T> using Step = tuple<T...>;
template <class... T> using Tile = tuple<T...>;
template <class... T> __host__ __device__ constexpr auto make_tuple(T... values) { return tuple<T...>{values...}; }
template <class... T> __host__ __device__ constexpr auto make_shape(T... values) { return tuple<T...>{values...}; }
template <class... T> __host__ __device__ constexpr auto make_stride(T... values) { return tuple<T...>{values...}; }
template <class... T> __host__ __device__ constexpr auto make_coord(T... values) { return tuple<T...>{values...}; }
template <class... T> __host__ __device__ constexpr auto make_tile(T... values) { return tuple<T...>{values...}; }
template <class... T> __host__ __device__ constexpr auto make_step(T... values) { return tuple<T...>{values...}; }

// One more element; one where the coordinate leaves a mode open or the step counts it.
template <class T> __host__ __device__ constexpr auto with(tuple<>, const T &x) { return tuple<T>{x}; }
template <class A, class T> __host__ __device__ constexpr auto with(const tuple<A> &t, const T &x) { return tuple<A, T>{t.m0, x}; }
template <class A, class B, class T> __host__ __device__ constexpr auto with(const tuple<A, B> &t, const T &x) { return tuple<A, B, T>{t.m0, t.m1, x}; }
template <class A, class B, class D, class T> __host__ __device__ constexpr auto with(const tuple<A, B, D> &t, const T &x) {
  return tuple<A, B, D, T>{t.m0, t.m1, t.m2, x};
}
template <class R, class T, class K> __host__ __device__ constexpr auto open(const R &made, const T &mode, K) { return made; }
template <class R, class T> __host__ __device__ constexpr auto open(const R &made, const T &mode, Underscore) { return with(made, mode); }
template <class R, class T0, class T1, class K0, class K1>
__host__ __device__ constexpr auto open(const R &made, const tuple<T0, T1> &mode, const tuple<K0, K1> &k) {
  return open(open(made, mode.m0, k.m0), mode.m1, k.m1);
}
template <class T0, class T1, class K0, class K1> __host__ __device__ constexpr auto opened(const tuple<T0, T1> &t, const tuple<K0, K1> &k) {
  return open(open(tuple<>(), t.m0, k.m0), t.m1, k.m1);
}
template <class T0, class T1, class T2, class K0, class K1, class K2>
__host__ __device__ constexpr auto opened(const tuple<T0, T1, T2> &t, const tuple<K0, K1, K2> &k) {
  return open(open(open(tuple<>(), t.m0, k.m0), t.m1, k.m1), t.m2, k.m2);
}
template <class T0, class T1, class T2, class T3, class K0, class K1, class K2, class K3>
__host__ __device__ constexpr auto opened(const tuple<T0, T1, T2, T3> &t, const tuple<K0, K1, K2, K3> &k) {
  return open(open(open(open(tuple<>(), t.m0, k.m0), t.m1, k.m1), t.m2, k.m2), t.m3, k.m3);
}
template <class R, class T, class K> __host__ __device__ constexpr auto counted(const R &made, const T &mode, K) { return with(made, mode); }
template <class R, class T> __host__ __device__ constexpr auto counted(const R &made, const T &mode, Underscore) { return made; }
template <class T0, class T1, class K0, class K1> __host__ __device__ constexpr auto dice(const tuple<K0, K1> &k, const tuple<T0, T1> &t) {
  return counted(counted(tuple<>(), t.m0, k.m0), t.m1, k.m1);
}
template <class T0, class T1, class T2, class K0, class K1, class K2>
__host__ __device__ constexpr auto dice(const tuple<K0, K1, K2> &k, const tuple<T0, T1, T2> &t) {
  return counted(counted(counted(tuple<>(), t.m0, k.m0), t.m1, k.m1), t.m2, k.m2);
}

template <int I, class T0> __host__ __device__ constexpr auto get(const tuple<T0> &t) { return t.m0; }
template <int I, class T0, class T1> __host__ __device__ constexpr auto get(const tuple<T0, T1> &t) {
  if constexpr (I == 0) return t.m0;
  else return t.m1;
}
template <int I, class T0, class T1, class T2> __host__ __device__ constexpr auto get(const tuple<T0, T1, T2> &t) {
  if constexpr (I == 0) return t.m0;
  else if constexpr (I == 1) return t.m1;
  else return t.m2;
}
template <int I, class T0, class T1, class T2, class T3> __host__ __device__ constexpr auto get(const tuple<T0, T1, T2, T3> &t) {
  if constexpr (I == 0) return t.m0;
  else if constexpr (I == 1) return t.m1;
  else if constexpr (I == 2) return t.m2;
  else return t.m3;
}
template <int I, int J, class T> __host__ __device__ constexpr auto select(const T &t) { return make_tuple(get<I>(t), get<J>(t)); }

template <int V> __host__ __device__ constexpr C<V> size(C<V>) { return C<V>(); }
__host__ __device__ constexpr int size(int s) { return s; }
template <class T0> __host__ __device__ constexpr auto size(const tuple<T0> &s) { return size(s.m0); }
template <class T0, class T1> __host__ __device__ constexpr auto size(const tuple<T0, T1> &s) { return size(s.m0) * size(s.m1); }
template <class T0, class T1, class T2> __host__ __device__ constexpr auto size(const tuple<T0, T1, T2> &s) {
  return size(s.m0) * size(s.m1) * size(s.m2);
}
template <class T0, class T1, class T2, class T3> __host__ __device__ constexpr auto size(const tuple<T0, T1, T2, T3> &s) {
  return size(s.m0) * size(s.m1) * size(s.m2) * size(s.m3);
}
template <class... T> __host__ __device__ constexpr auto rank(const tuple<T...> &) { return C<sizeof...(T)>(); }
template <class A, class B> __host__ __device__ constexpr C<1> congruent(const A &, const B &) { return C<1>(); }
template <int A, int B> __host__ __device__ constexpr C<(A + B - 1) / B> ceil_div(C<A>, C<B>) { return C<(A + B - 1) / B>(); }
__host__ __device__ constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
template <class A0, class A1, class B0, class B1> __host__ __device__ constexpr bool elem_less(const tuple<A0, A1> &a, const tuple<B0, B1> &b) {
  return a.m0 < b.m0 && a.m1 < b.m1;
}
template <class A0, class B0> __host__ __device__ constexpr bool elem_less(const tuple<A0> &a, const tuple<B0> &b) { return a.m0 < b.m0; }

// Strides of elements in order, the first or the last mode innermost.
template <class S, class D> __host__ __device__ constexpr auto left(const S &s, D d) { return d; }
template <class S0, class D> __host__ __device__ constexpr auto left(const tuple<S0> &s, D d) { return make_tuple(left(s.m0, d)); }
template <class S0, class S1, class D> __host__ __device__ constexpr auto left(const tuple<S0, S1> &s, D d) {
  return make_tuple(left(s.m0, d), left(s.m1, d * size(s.m0)));
}
template <class S0, class S1, class S2, class D> __host__ __device__ constexpr auto left(const tuple<S0, S1, S2> &s, D d) {
  return make_tuple(left(s.m0, d), left(s.m1, d * size(s.m0)), left(s.m2, d * size(s.m0) * size(s.m1)));
}
template <class S0, class S1, class S2, class S3, class D> __host__ __device__ constexpr auto left(const tuple<S0, S1, S2, S3> &s, D d) {
  return make_tuple(left(s.m0, d), left(s.m1, d * size(s.m0)), left(s.m2, d * size(s.m0) * size(s.m1)), left(s.m3, d * size(s.m0) * size(s.m1) * size(s.m2)));
}
template <class S, class D> __host__ __device__ constexpr auto right(const S &s, D d) { return d; }
template <class S0, class D> __host__ __device__ constexpr auto right(const tuple<S0> &s, D d) { return make_tuple(right(s.m0, d)); }
template <class S0, class S1, class D> __host__ __device__ constexpr auto right(const tuple<S0, S1> &s, D d) {
  return make_tuple(right(s.m0, d * size(s.m1)), right(s.m1, d));
}
template <class S0, class S1, class S2, class D> __host__ __device__ constexpr auto right(const tuple<S0, S1, S2> &s, D d) {
  return make_tuple(right(s.m0, d * size(s.m1) * size(s.m2)), right(s.m1, d * size(s.m2)), right(s.m2, d));
}

// The place of a coordinate: a number counts through the modes, the first one fastest; what is open adds nothing.
template <class K, class S, class D> __host__ __device__ constexpr long crd2idx(const K &k, const S &s, const D &d) { return long(k) * d; }
template <class S, class D> __host__ __device__ constexpr long crd2idx(Underscore, const S &s, const D &d) { return 0; }
template <class K, class S0, class D0> __host__ __device__ constexpr long crd2idx(const K &k, const tuple<S0> &s, const tuple<D0> &d) {
  return crd2idx(k, s.m0, d.m0);
}
template <class K, class S0, class S1, class D0, class D1>
__host__ __device__ constexpr long crd2idx(const K &k, const tuple<S0, S1> &s, const tuple<D0, D1> &d) {
  return crd2idx(k % size(s.m0), s.m0, d.m0) + crd2idx(k / size(s.m0), s.m1, d.m1);
}
template <class K, class S0, class S1, class S2, class D0, class D1, class D2>
__host__ __device__ constexpr long crd2idx(const K &k, const tuple<S0, S1, S2> &s, const tuple<D0, D1, D2> &d) {
  return crd2idx(k % size(s.m0), s.m0, d.m0) + crd2idx(k / size(s.m0) % size(s.m1), s.m1, d.m1) + crd2idx(k / size(s.m0) / size(s.m1), s.m2, d.m2);
}
template <class S0, class S1, class D0, class D1>
__host__ __device__ constexpr long crd2idx(Underscore, const tuple<S0, S1> &s, const tuple<D0, D1> &d) { return 0; }
template <class K0, class S0, class D0> __host__ __device__ constexpr long crd2idx(const tuple<K0> &k, const tuple<S0> &s, const tuple<D0> &d) {
  return crd2idx(k.m0, s.m0, d.m0);
}
template <class K0, class K1, class S0, class S1, class D0, class D1>
__host__ __device__ constexpr long crd2idx(const tuple<K0, K1> &k, const tuple<S0, S1> &s, const tuple<D0, D1> &d) {
  return crd2idx(k.m0, s.m0, d.m0) + crd2idx(k.m1, s.m1, d.m1);
}
template <class K0, class K1, class K2, class S0, class S1, class S2, class D0, class D1, class D2>
__host__ __device__ constexpr long crd2idx(const tuple<K0, K1, K2> &k, const tuple<S0, S1, S2> &s, const tuple<D0, D1, D2> &d) {
  return crd2idx(k.m0, s.m0, d.m0) + crd2idx(k.m1, s.m1, d.m1) + crd2idx(k.m2, s.m2, d.m2);
}
template <class K0, class K1, class K2, class K3, class S0, class S1, class S2, class S3, class D0, class D1, class D2, class D3>
__host__ __device__ constexpr long crd2idx(const tuple<K0, K1, K2, K3> &k, const tuple<S0, S1, S2, S3> &s, const tuple<D0, D1, D2, D3> &d) {
  return crd2idx(k.m0, s.m0, d.m0) + crd2idx(k.m1, s.m1, d.m1) + crd2idx(k.m2, s.m2, d.m2) + crd2idx(k.m3, s.m3, d.m3);
}

// How far a layout reaches, 0 where it is not known before the run; how many elements lie side by side, as a power of two.
template <class S, class D> struct Reach { static constexpr int value = 0; };
template <int S, int D> struct Reach<C<S>, C<D>> { static constexpr int value = 1 + (S - 1) * D; };
template <class S0, class D0> struct Reach<tuple<S0>, tuple<D0>> { static constexpr int value = Reach<S0, D0>::value; };
template <class S0, class S1, class D0, class D1> struct Reach<tuple<S0, S1>, tuple<D0, D1>> {
  static constexpr int a = Reach<S0, D0>::value, b = Reach<S1, D1>::value;
  static constexpr int value = a && b ? a + b - 1 : 0;
};
template <class S0, class S1, class S2, class D0, class D1, class D2> struct Reach<tuple<S0, S1, S2>, tuple<D0, D1, D2>> {
  static constexpr int a = Reach<S0, D0>::value, b = Reach<S1, D1>::value, c = Reach<S2, D2>::value;
  static constexpr int value = a && b && c ? a + b + c - 2 : 0;
};
template <class S0, class S1, class S2, class S3, class D0, class D1, class D2, class D3> struct Reach<tuple<S0, S1, S2, S3>, tuple<D0, D1, D2, D3>> {
  static constexpr int a = Reach<S0, D0>::value, b = Reach<S1, D1>::value, c = Reach<S2, D2>::value, d = Reach<S3, D3>::value;
  static constexpr int value = a && b && c && d ? a + b + c + d - 3 : 0;
};

struct Straight {
  static constexpr int together = 16;
  __host__ __device__ static constexpr long of(long i) { return i; }
};
template <int B, int M, int S = M> struct Swizzle {
  static constexpr int together = M < 4 ? 1 << M : 16;  // elements that stay side by side
  static constexpr int mask = ((1 << B) - 1) << (M + (S > 0 ? S : 0));
  __host__ __device__ static constexpr long of(long i) {
    if constexpr (S >= 0) return i ^ ((i & mask) >> S);
    else return i ^ ((i & mask) << -S);
  }
  __host__ __device__ constexpr long operator()(long i) const { return of(i); }
};

template <class T> struct Opens { static constexpr bool value = false; };
template <> struct Opens<Underscore> { static constexpr bool value = true; };
template <class... T> struct Opens<tuple<T...>> { static constexpr bool value = (Opens<T>::value || ...); };

template <class S, class D, class F = Straight, class O = C<0>> struct Layout;
template <class F, class S, class D, class O> __host__ __device__ constexpr auto layout_of(const S &s, const D &d, const O &offset) { return Layout<S, D, F, O>(s, d, offset); }
template <class S, class D, class F, class O> struct Layout {
  S shape_;
  D stride_;
  O offset_;
  using function = F;
  using shape_type = S;
  using stride_type = D;
  static constexpr int reach = Reach<S, D>::value;
  __host__ __device__ constexpr Layout() : shape_(), stride_(), offset_() {}
  __host__ __device__ constexpr Layout(const S &s, const D &d, const O &offset = O()) : shape_(s), stride_(d), offset_(offset) {}
  __host__ __device__ constexpr const S &shape() const { return shape_; }
  __host__ __device__ constexpr const D &stride() const { return stride_; }
  template <class K> __host__ __device__ constexpr long operator()(const K &k) const { return F::of(offset_ + crd2idx(k, shape_, stride_)); }
  template <class K0, class K1> __host__ __device__ constexpr long operator()(const K0 &a, const K1 &b) const {
    return F::of(offset_ + crd2idx(a, shape_.m0, stride_.m0) + crd2idx(b, shape_.m1, stride_.m1));
  }
  template <class K0, class K1, class K2> __host__ __device__ constexpr long operator()(const K0 &a, const K1 &b, const K2 &c) const {
    return F::of(offset_ + crd2idx(a, shape_.m0, stride_.m0) + crd2idx(b, shape_.m1, stride_.m1) + crd2idx(c, shape_.m2, stride_.m2));
  }
  template <class K> __host__ __device__ constexpr auto slice(const K &k) const {
    return layout_of<F>(opened(shape_, k), opened(stride_, k), offset_ + crd2idx(k, shape_, stride_));
  }
};
template <class S, class D> __host__ __device__ constexpr auto make_layout(const S &s, const D &d) { return Layout<S, D>(s, d); }
template <class S> __host__ __device__ constexpr auto make_layout(const S &s) { return make_layout(s, left(s, C<1>())); }
template <class S> __host__ __device__ constexpr auto make_layout(const S &s, LayoutLeft) { return make_layout(s, left(s, C<1>())); }
template <class S> __host__ __device__ constexpr auto make_layout(const S &s, LayoutRight) { return make_layout(s, right(s, C<1>())); }
template <int B, int M, int N, class S, class D> __host__ __device__ constexpr auto composition(Swizzle<B, M, N>, const Layout<S, D> &l) {
  return layout_of<Swizzle<B, M, N>>(l.shape_, l.stride_, l.offset_);
}
template <class S, class D, class F, class O> __host__ __device__ constexpr auto size(const Layout<S, D, F, O> &l) { return size(l.shape_); }
template <int I, class... T> __host__ __device__ constexpr auto size(const tuple<T...> &t) { return size(get<I>(t)); }
template <int I, class S, class D, class F, class O> __host__ __device__ constexpr auto size(const Layout<S, D, F, O> &l) { return size(get<I>(l.shape_)); }
template <class S, class D, class F, class O> __host__ __device__ constexpr auto shape(const Layout<S, D, F, O> &l) { return l.shape_; }
template <class S, class D, class F, class O> __host__ __device__ constexpr auto stride(const Layout<S, D, F, O> &l) { return l.stride_; }
template <class... T> __host__ __device__ constexpr auto shape(const tuple<T...> &t) { return t; }
template <class S, class D, class F, class O> __host__ __device__ constexpr C<Reach<S, D>::value> cosize(const Layout<S, D, F, O> &) { return C<Reach<S, D>::value>(); }
template <class L> constexpr int cosize_v = L::reach;
template <class L> constexpr int size_v = decltype(size(L()))::value;

// Parts of layouts: modes that a coordinate leaves open; with `Step`, of the modes that it counts.
template <class F, class O, class S, class D, class S1, class D1> __host__ __device__ constexpr auto added(const Layout<S, D, F, O> &l, const S1 &s, const D1 &d) {
  return layout_of<F>(with(l.shape_, s), with(l.stride_, d), l.offset_);
}
template <class F, class O, class S, class D, class S1, class D1, class T, class K>
__host__ __device__ constexpr auto tiled(const Layout<S, D, F, O> &l, const S1 &s, const D1 &d, const T &tile, const K &k) { return l; }
template <class F, class O, class S, class D, class S1, class D1, class T>
__host__ __device__ constexpr auto tiled(const Layout<S, D, F, O> &l, const S1 &s, const D1 &d, const T &tile, Underscore) {
  return added(l, ceil_div(s, tile), d * tile);
}
template <class S, class D, class F, class O, class T0, class K0>
__host__ __device__ constexpr auto tile_of(const Layout<S, D, F, O> &l, const tuple<T0> &t, const tuple<K0> &k) {
  auto inner = layout_of<F>(make_shape(t.m0), make_stride(get<0>(l.stride_)), l.offset_ + crd2idx(k.m0, t.m0, t.m0 * get<0>(l.stride_)));
  return tiled(inner, get<0>(l.shape_), get<0>(l.stride_), t.m0, k.m0);
}
template <class S, class D, class F, class O, class T0, class T1, class K0, class K1>
__host__ __device__ constexpr auto tile_of(const Layout<S, D, F, O> &l, const tuple<T0, T1> &t, const tuple<K0, K1> &k) {
  auto inner = layout_of<F>(t, make_stride(get<0>(l.stride_), get<1>(l.stride_)),
                            l.offset_ + crd2idx(k.m0, t.m0, t.m0 * get<0>(l.stride_)) + crd2idx(k.m1, t.m1, t.m1 * get<1>(l.stride_)));
  return tiled(tiled(inner, get<0>(l.shape_), get<0>(l.stride_), t.m0, k.m0), get<1>(l.shape_), get<1>(l.stride_), t.m1, k.m1);
}
// What one of the threads of a layout has: every so many-th element, from its own coordinate on; modes behind stay.
template <class S, class D> __host__ __device__ constexpr int coordinate(int i, const S &s, const D &d) { return i / d % s; }
template <class F, class S0, class D, class O, class T0, class E0>
__host__ __device__ constexpr auto part_of(const tuple<S0> &s, const D &d, const O &offset, const tuple<T0> &t, const tuple<E0> &e, int i) {
  return layout_of<F>(make_shape(ceil_div(s.m0, t.m0)), make_stride(d.m0 * t.m0), offset + long(coordinate(i, t.m0, e.m0)) * d.m0);
}
template <class F, class S0, class S1, class D, class O, class T0, class T1, class E0, class E1>
__host__ __device__ constexpr auto part_of(const tuple<S0, S1> &s, const D &d, const O &offset, const tuple<T0, T1> &t, const tuple<E0, E1> &e, int i) {
  return layout_of<F>(make_shape(ceil_div(s.m0, t.m0), ceil_div(s.m1, t.m1)), make_stride(d.m0 * t.m0, d.m1 * t.m1),
                      offset + long(coordinate(i, t.m0, e.m0)) * d.m0 + long(coordinate(i, t.m1, e.m1)) * d.m1);
}
template <class F, class S0, class S1, class D, class O, class T0, class E0>
__host__ __device__ constexpr auto part_of(const tuple<S0, S1> &s, const D &d, const O &offset, const tuple<T0> &t, const tuple<E0> &e, int i) {
  return layout_of<F>(make_shape(ceil_div(s.m0, t.m0), s.m1), make_stride(d.m0 * t.m0, d.m1), offset + long(coordinate(i, t.m0, e.m0)) * d.m0);
}
template <class F, class S0, class S1, class S2, class D, class O, class T0, class T1, class E0, class E1>
__host__ __device__ constexpr auto part_of(const tuple<S0, S1, S2> &s, const D &d, const O &offset, const tuple<T0, T1> &t, const tuple<E0, E1> &e, int i) {
  auto front = part_of<F>(make_shape(s.m0, s.m1), make_stride(d.m0, d.m1), offset, t, e, i);
  return layout_of<F>(with(front.shape_, s.m2), with(front.stride_, d.m2), front.offset_);
}
}
