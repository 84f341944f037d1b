/* Cooperative groups as far as kernels name them. */
#pragma once
namespace cooperative_groups {
struct thread_group {
    __device__ void sync() const;
    __device__ unsigned size() const;
    __device__ unsigned num_threads() const;
    __device__ unsigned thread_rank() const;
};
struct thread_block : thread_group {
    __device__ dim3 group_index() const;
    __device__ dim3 thread_index() const;
    __device__ dim3 group_dim() const;
};
struct grid_group : thread_group {
    __device__ bool is_valid() const;
    __device__ dim3 group_dim() const;
};
struct multi_grid_group : thread_group {};
struct coalesced_group : thread_group {
    template <class T> __device__ T shfl(T, int) const;
    __device__ unsigned meta_group_rank() const;
    __device__ unsigned meta_group_size() const;
};
template <unsigned N, class Parent = void> struct thread_block_tile : coalesced_group {
    template <class T> __device__ T shfl_up(T, unsigned) const;
    template <class T> __device__ T shfl_down(T, unsigned) const;
    template <class T> __device__ T shfl_xor(T, unsigned) const;
    __device__ unsigned ballot(int) const;
    __device__ int any(int) const;
    __device__ int all(int) const;
};
__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ multi_grid_group this_multi_grid();
__device__ coalesced_group coalesced_threads();
template <unsigned N, class Group> __device__ thread_block_tile<N, Group> tiled_partition(const Group &);
template <class Group> __device__ void sync(const Group &);
template <class T> struct plus {
    __device__ T operator()(T, T) const;
};
template <class T> struct less {
    __device__ T operator()(T, T) const;
};
template <class T> struct greater {
    __device__ T operator()(T, T) const;
};
template <class Group, class T, class F> __device__ T reduce(const Group &, T, F);
}  // namespace cooperative_groups
