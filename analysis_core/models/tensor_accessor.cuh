// Views of tensors in kernels (ATen/core/TensorAccessor.h of PyTorch 2): a pointer, sizes and strides; an index for each dimension in turn.
namespace at {
template <class T> struct DefaultPtrTraits { typedef T *PtrType; };
template <class T> struct RestrictPtrTraits { typedef T *__restrict__ PtrType; };
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = long> struct TensorAccessorBase {
  typedef typename P<T>::PtrType PtrType;
  PtrType data_;
  const I *sizes_;
  const I *strides_;
  __host__ __device__ TensorAccessorBase(PtrType data, const I *sizes, const I *strides) : data_(data), sizes_(sizes), strides_(strides) {}
  __host__ __device__ I stride(I i) const { return strides_[i]; }
  __host__ __device__ I size(I i) const { return sizes_[i]; }
  __host__ __device__ PtrType data() { return data_; }
  __host__ __device__ const PtrType data() const { return data_; }
};
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = long> struct TensorAccessor : TensorAccessorBase<T, N, P, I> {
  typedef typename P<T>::PtrType PtrType;
  __host__ __device__ TensorAccessor(PtrType data, const I *sizes, const I *strides) : TensorAccessorBase<T, N, P, I>(data, sizes, strides) {}
  __host__ __device__ TensorAccessor<T, N - 1, P, I> operator[](I i) const {
    return TensorAccessor<T, N - 1, P, I>(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
  }
};
template <class T, template <class> class P, class I> struct TensorAccessor<T, 1, P, I> : TensorAccessorBase<T, 1, P, I> {
  typedef typename P<T>::PtrType PtrType;
  __host__ __device__ TensorAccessor(PtrType data, const I *sizes, const I *strides) : TensorAccessorBase<T, 1, P, I>(data, sizes, strides) {}
  __host__ __device__ T &operator[](I i) const {
    warpcost::assume("the innermost dimension of a tensor is contiguous");
    return this->data_[i];
  }
};
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = long> struct GenericPackedTensorAccessorBase {
  typedef typename P<T>::PtrType PtrType;
  PtrType data_;
  I sizes_[N];
  I strides_[N];
  __host__ __device__ I stride(I i) const { return strides_[i]; }
  __host__ __device__ I size(I i) const { return sizes_[i]; }
  __host__ __device__ PtrType data() { return data_; }
  __host__ __device__ const PtrType data() const { return data_; }
};
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = long> struct GenericPackedTensorAccessor : GenericPackedTensorAccessorBase<T, N, P, I> {
  __device__ TensorAccessor<T, N - 1, P, I> operator[](I i) const {
    return TensorAccessor<T, N - 1, P, I>(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
  }
};
template <class T, template <class> class P, class I> struct GenericPackedTensorAccessor<T, 1, P, I> : GenericPackedTensorAccessorBase<T, 1, P, I> {
  __device__ T &operator[](I i) const {
    warpcost::assume("the innermost dimension of a tensor is contiguous");
    return this->data_[i];
  }
};
template <class T, size_t N, template <class> class P = DefaultPtrTraits> using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, P, int>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits> using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, P, long>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = long> using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, P, I>;
}
namespace torch {
using namespace at;
}
