// CuTe's tensors: memory under a layout, tiles and partitions of it, copies and products (CUTLASS 4).  A tensor of registers is an array of its own.
namespace cute {
// A view of memory, or an array of its own.
template <class T, int N> struct Owned {
  T values[N];
  __host__ __device__ T &operator[](long i) { return values[i]; }
  __host__ __device__ const T &operator[](long i) const { return values[i]; }
};
template <class P> struct ElementOf;
template <class T> struct ElementOf<T *> { using type = T; };
template <class T> struct ElementOf<const T *> { using type = T; };
template <class T, int N> struct ElementOf<Owned<T, N>> { using type = T; };
template <class P, class L> struct Tensor;
template <class P, class L> __host__ __device__ constexpr auto view(const P &p, const L &l) { return Tensor<P, L>{p, l}; }
template <class T, int N, class L> __host__ __device__ constexpr auto view(Owned<T, N> &p, const L &l) { return Tensor<T *, L>{p.values, l}; }
template <class P, class L> struct Tensor {
  using value_type = typename ElementOf<P>::type;
  using element_type = value_type;
  using layout_type = L;
  P data_;
  L layout_;
  __host__ __device__ constexpr const L &layout() const { return layout_; }
  __host__ __device__ constexpr auto shape() const { return layout_.shape_; }
  __host__ __device__ constexpr auto stride() const { return layout_.stride_; }
  __host__ __device__ constexpr auto data() const { return data_; }
  template <class K> __host__ __device__ decltype(auto) operator[](const K &k) { return data_[layout_(k)]; }
  template <class K> __host__ __device__ decltype(auto) operator()(const K &k) { return data_[layout_(k)]; }
  template <class K0, class K1> __host__ __device__ decltype(auto) operator()(const K0 &a, const K1 &b) {
    if constexpr (Opens<K0>::value || Opens<K1>::value) return view(data_, layout_.slice(make_tuple(a, b)));
    else return data_[layout_(a, b)];
  }
  template <class K0, class K1, class K2> __host__ __device__ decltype(auto) operator()(const K0 &a, const K1 &b, const K2 &c) {
    if constexpr (Opens<K0>::value || Opens<K1>::value || Opens<K2>::value) return view(data_, layout_.slice(make_tuple(a, b, c)));
    else return data_[layout_(a, b, c)];
  }
  template <class K0, class K1, class K2, class K3> __host__ __device__ decltype(auto) operator()(const K0 &a, const K1 &b, const K2 &c, const K3 &d) {
    return view(data_, layout_.slice(make_tuple(a, b, c, d)));
  }
};
template <class P, class L> __host__ __device__ constexpr auto size(const Tensor<P, L> &t) { return size(t.layout_.shape_); }
template <int I, class P, class L> __host__ __device__ constexpr auto size(const Tensor<P, L> &t) { return size(get<I>(t.layout_.shape_)); }
template <class P, class L> __host__ __device__ constexpr auto shape(const Tensor<P, L> &t) { return t.layout_.shape_; }
template <class P, class L> __host__ __device__ constexpr auto stride(const Tensor<P, L> &t) { return t.layout_.stride_; }
template <class P, class L> __host__ __device__ constexpr auto rank(const Tensor<P, L> &t) { return rank(t.layout_.shape_); }
template <class T> __host__ __device__ constexpr T *make_gmem_ptr(T *p) { return p; }
template <class T> __host__ __device__ constexpr T *make_smem_ptr(T *p) { return p; }
template <class T> __host__ __device__ constexpr T *make_rmem_ptr(T *p) { return p; }
template <class T> __host__ __device__ constexpr T *raw_pointer_cast(T *p) { return p; }
template <class P, class S, class D, class F, class O> __host__ __device__ constexpr auto make_tensor(const P &p, const Layout<S, D, F, O> &l) { return view(p, l); }
template <class P, class... S> __host__ __device__ constexpr auto make_tensor(const P &p, const tuple<S...> &s) { return view(p, make_layout(s)); }
template <class P, class S, class D> __host__ __device__ constexpr auto make_tensor(const P &p, const S &s, const D &d) { return view(p, make_layout(s, d)); }
template <class T, class L> __host__ __device__ constexpr auto owned(const L &l) { return Tensor<Owned<T, L::reach>, L>{Owned<T, L::reach>(), l}; }
template <class T, class S, class D, class F, class O> __host__ __device__ constexpr auto make_tensor(const Layout<S, D, F, O> &l) { return owned<T>(l); }
template <class T, class... S> __host__ __device__ constexpr auto make_tensor(const tuple<S...> &s) { return owned<T>(make_layout(s)); }
template <class T, class S, class D> __host__ __device__ constexpr auto make_tensor(const S &s, const D &d) { return owned<T>(make_layout(s, d)); }
// An array for the elements of a tensor, which has them in its order.
template <class S, class D0> __host__ __device__ constexpr auto ordered(const S &s, const tuple<D0> &d) { return make_layout(s); }
template <class S, class D0, class D1> __host__ __device__ constexpr auto ordered(const S &s, const tuple<D0, D1> &d) { return make_layout(s); }
template <class S, class D0> __host__ __device__ constexpr auto ordered(const S &s, const tuple<D0, C<1>> &d) { return make_layout(s, LayoutRight()); }
template <class S, class D0, class D1, class D2> __host__ __device__ constexpr auto ordered(const S &s, const tuple<D0, D1, D2> &d) { return make_layout(s); }
template <class P, class L> __host__ __device__ constexpr auto make_tensor_like(const Tensor<P, L> &t) {
  return owned<typename ElementOf<P>::type>(ordered(t.layout_.shape_, t.layout_.stride_));
}
template <class T, class P, class L> __host__ __device__ constexpr auto make_tensor_like(const Tensor<P, L> &t) { return owned<T>(ordered(t.layout_.shape_, t.layout_.stride_)); }
template <class P, class L> __host__ __device__ constexpr auto make_fragment_like(const Tensor<P, L> &t) {
  return owned<typename ElementOf<P>::type>(make_layout(t.layout_.shape_));
}

// The same bytes as elements of another type, of one mode whose elements lie side by side.
template <class T, class E, int N, int M> __device__ auto recast_to(E *p, C<N>, C<M>) {
  return view((T *)p, make_layout(make_shape(C<N * sizeof(E) / sizeof(T)>()), make_stride(C<1>())));
}
template <class T, class P, class S> __device__ auto recast_shape(P *p, const tuple<S> &s, const tuple<C<1>> &) { return recast_to<T>(p, s.m0, C<1>()); }
template <class T, class P, class L> __device__ auto recast(Tensor<P, L> &t) { return recast_shape<T>(&t(0), t.layout_.shape_, t.layout_.stride_); }

template <class P, class L, class T, class K> __host__ __device__ constexpr auto local_tile(const Tensor<P, L> &t, const T &tile, const K &k) {
  return view(t.data_, tile_of(t.layout_, tile, k));
}
template <class P, class L, class T, class K, class U> __host__ __device__ constexpr auto local_tile(const Tensor<P, L> &t, const T &tile, const K &k, const U &step) {
  return view(t.data_, tile_of(t.layout_, dice(step, tile), dice(step, k)));
}
template <class P, class L, class S, class D, class F, class O> __host__ __device__ constexpr auto local_partition(const Tensor<P, L> &t, const Layout<S, D, F, O> &threads, int i) {
  return view(t.data_, part_of<typename L::function>(t.layout_.shape_, t.layout_.stride_, t.layout_.offset_, threads.shape_, threads.stride_, i));
}
template <class P, class L, class S, class D, class F, class O, class U>
__host__ __device__ constexpr auto local_partition(const Tensor<P, L> &t, const Layout<S, D, F, O> &threads, int i, const U &step) {
  return view(t.data_, part_of<typename L::function>(t.layout_.shape_, t.layout_.stride_, t.layout_.offset_, dice(step, threads.shape_), dice(step, threads.stride_), i));
}

// Coordinates as elements: the first number by the tensor's layout, the second one by another.
template <class M> struct Second { M layout_; };
template <class M> struct ElementOf<Second<M>> { using type = tuple<int, int>; };
template <class M, class L> struct Tensor<Second<M>, L> {
  Second<M> data_;
  L layout_;
  __host__ __device__ constexpr auto shape() const { return layout_.shape_; }
  __host__ __device__ constexpr auto stride() const { return left(layout_.shape_, C<1>()); }
  template <class K> __host__ __device__ constexpr auto operator()(const K &k) const { return make_tuple(int(layout_(k)), int(data_.layout_(k))); }
  template <class K0, class K1> __host__ __device__ constexpr auto operator()(const K0 &a, const K1 &b) const {
    if constexpr (Opens<K0>::value || Opens<K1>::value) return coordinates(layout_.slice(make_tuple(a, b)), data_.layout_.slice(make_tuple(a, b)));
    else return make_tuple(int(layout_(a, b)), int(data_.layout_(a, b)));
  }
  template <class K0, class K1, class K2> __host__ __device__ constexpr auto operator()(const K0 &a, const K1 &b, const K2 &c) const {
    return coordinates(layout_.slice(make_tuple(a, b, c)), data_.layout_.slice(make_tuple(a, b, c)));
  }
  template <class K0, class K1, class K2, class K3> __host__ __device__ constexpr auto operator()(const K0 &a, const K1 &b, const K2 &c, const K3 &d) const {
    return coordinates(layout_.slice(make_tuple(a, b, c, d)), data_.layout_.slice(make_tuple(a, b, c, d)));
  }
};
template <class L, class M> __host__ __device__ constexpr auto coordinates(const L &a, const M &b) { return Tensor<Second<M>, L>{Second<M>{b}, a}; }
template <class S0, class S1> __host__ __device__ constexpr auto make_identity_tensor(const tuple<S0, S1> &s) {
  return coordinates(make_layout(s, make_stride(C<1>(), C<0>())), make_layout(s, make_stride(C<0>(), C<1>())));
}
template <class M, class L, class T, class K> __host__ __device__ constexpr auto local_tile(const Tensor<Second<M>, L> &t, const T &tile, const K &k) {
  return coordinates(tile_of(t.layout_, tile, k), tile_of(t.data_.layout_, tile, k));
}
template <class M, class L, class S, class D, class F, class O>
__host__ __device__ constexpr auto local_partition(const Tensor<Second<M>, L> &t, const Layout<S, D, F, O> &threads, int i) {
  return coordinates(part_of<Straight>(t.layout_.shape_, t.layout_.stride_, t.layout_.offset_, threads.shape_, threads.stride_, i),
                     part_of<Straight>(t.data_.layout_.shape_, t.data_.layout_.stride_, t.data_.layout_.offset_, threads.shape_, threads.stride_, i));
}

// Copies: of as many elements at once as lie side by side in both, in 16 bytes at most, where both layouts are known before the run; else one by one.
template <class S, class A, class B> struct Beside { static constexpr int value = 1; };
template <int N, class... S, class... A, class... B> struct Beside<tuple<C<N>, S...>, tuple<C<1>, A...>, tuple<C<1>, B...>> { static constexpr int value = N; };
template <class S, int N, class A, class B> struct Beside<tuple<S, C<N>>, tuple<A, C<1>>, tuple<B, C<1>>> { static constexpr int value = N; };
template <int M, int N> struct Beside<tuple<C<M>, C<N>>, tuple<C<1>, C<1>>, tuple<C<1>, C<1>>> { static constexpr int value = 1; };
template <class S, class D> __host__ __device__ constexpr int inner_first(int i, const S &s, const D &d) { return i; }
template <class S0, class S1, int D> __host__ __device__ constexpr auto inner_first(int i, const tuple<S0, S1> &s, const tuple<C<D>, C<1>> &d) {
  return make_tuple(i / size(s.m1), i % size(s.m1));
}
template <int N> struct Piece;
template <> struct Piece<1> { using type = unsigned char; };
template <> struct Piece<2> { using type = unsigned short; };
template <> struct Piece<4> { using type = unsigned; };
template <> struct Piece<8> { using type = uint2; };
template <> struct Piece<16> { using type = uint4; };
constexpr int vector_of(int beside, int together, int bytes) {
  int n = 1;
  while (beside % (2 * n) == 0 && 2 * n <= together && 2 * n * bytes <= 16) n *= 2;
  return n;
}
template <int V, class T> __device__ void copy_piece(T *to, const T *from) {
  *(typename Piece<V * sizeof(T)>::type *)to = *(const typename Piece<V * sizeof(T)>::type *)from;
}
template <class P, class L, class Q, class M> __device__ void copy(const Tensor<P, L> &from, const Tensor<Q, M> &to) {
  constexpr int beside = L::reach && M::reach ? Beside<typename L::shape_type, typename L::stride_type, typename M::stride_type>::value : 1;
  warpcost::assume("copies of CuTe's tensors move at once what lies side by side in both, 16 bytes at most, where both layouts are constant");
  constexpr int together = L::function::together < M::function::together ? L::function::together : M::function::together;
  constexpr int V = vector_of(beside, together, sizeof(typename ElementOf<P>::type));
  if constexpr (V == 1) {
    for (int i = 0; i < size(to); i++) to(i) = from(i);
  } else {
    for (int i = 0; i < size(to); i += V) {
      auto k = inner_first(i, to.layout_.shape_, to.layout_.stride_);
      copy_piece<V>(&to(k), &from(k));
    }
  }
}
template <class W, class P, class L, class Q, class M> __device__ void copy_if(const W &when, const Tensor<P, L> &from, const Tensor<Q, M> &to) {
  for (int i = 0; i < size(to); i++)
    if (when(i)) to(i) = from(i);
}
template <class P, class L, class T> __device__ void fill(const Tensor<P, L> &t, const T &value) {
  for (int i = 0; i < size(t); i++) t(i) = value;
}
template <class P, class L> __device__ void clear(const Tensor<P, L> &t) { fill(t, typename ElementOf<P>::type()); }
template <class A, class P, class L, class B, class Q, class M> __device__ void axpby(const A &a, const Tensor<P, L> &x, const B &b, const Tensor<Q, M> &y) {
  for (int i = 0; i < size(y); i++) y(i) = b == B() ? a * x(i) : a * x(i) + b * y(i);
}
// A step takes what it multiplies into registers first, each element once.
template <class P, class L, class Q, class M, class R, class N> __device__ void gemm(const Tensor<P, L> &a, const Tensor<Q, M> &b, const Tensor<R, N> &c) {
  for (int k = 0; k < size<1>(a); k++) {
    auto x = make_fragment_like(a(_, k));
    auto y = make_fragment_like(b(_, k));
    copy(a(_, k), x);
    copy(b(_, k), y);
    for (int j = 0; j < size<1>(c); j++)
      for (int i = 0; i < size<0>(c); i++) c(i, j) += x(i) * y(j);
  }
}
template <int N> __device__ void cp_async_wait() { asm volatile("cp.async.wait_group %0;" ::"n"(N)); }
__device__ inline void cp_async_fence() { asm volatile("cp.async.commit_group;"); }
template <class T> struct is_static { static constexpr bool value = true; };
template <> struct is_static<int> { static constexpr bool value = false; };
template <class... T> struct is_static<tuple<T...>> { static constexpr bool value = (is_static<T>::value && ...); };
template <class S, class D, class F, class O> struct is_static<Layout<S, D, F, O>> { static constexpr bool value = is_static<S>::value && is_static<D>::value; };
}
