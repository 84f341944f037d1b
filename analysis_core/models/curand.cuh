// States of random number generators in kernels, and what drawing from them reads and writes; the numbers depend on data.
// Source: cuRAND's manual, "Device API Overview", and the members of the states in curand_kernel.h of the CUDA toolkit 13.
struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandState, curandState_t, curandStateXORWOW_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

// Philox counts: a subsequence far away takes additions.  The others multiply matrices of bits that they read from tables.
__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStatePhilox4_32_10 *state) {
  state->ctr = warpcost::data<uint4>();
  state->key = warpcost::data<uint2>();
  state->output = warpcost::data<uint4>();
  state->STATE = offset & 3;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
}

// Five words move up by one, and a counter goes on.
__device__ inline unsigned curand(curandStateXORWOW *state) {
  unsigned first = state->v[0], last = state->v[4], t = first ^ (first >> 2);
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = last;
  state->v[4] = (last ^ (last << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return warpcost::data<unsigned>();
}
__device__ inline unsigned curand(curandStateMRG32k3a *state) {
  unsigned a = state->s1[1], b = state->s1[2], c = state->s2[1], d = state->s2[2];
  unsigned first = state->s1[0] + a, second = state->s2[0] + d;
  state->s1[0] = a;
  state->s1[1] = b;
  state->s1[2] = first;
  state->s2[0] = c;
  state->s2[1] = d;
  state->s2[2] = second;
  return warpcost::data<unsigned>();
}
// One of four numbers; the next four are made when the last one is taken.
__device__ inline unsigned curand(curandStatePhilox4_32_10 *state) {
  uint4 ready = state->output;
  unsigned place = state->STATE++;
  if (place == 3) {
    state->ctr = warpcost::data<uint4>();
    state->output = warpcost::data<uint4>();
    state->STATE = 0;
  }
  return warpcost::data<unsigned>();
}
__device__ inline uint4 curand4(curandStatePhilox4_32_10 *state) {
  uint4 ready = state->output;
  unsigned place = state->STATE;
  state->ctr = warpcost::data<uint4>();
  state->output = warpcost::data<uint4>();
  return warpcost::data<uint4>();
}

template <class S> __device__ float curand_uniform(S *state) { curand(state); return warpcost::data<float>(); }
template <class S> __device__ double curand_uniform_double(S *state) { curand(state); curand(state); return warpcost::data<double>(); }
__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10 *state) { curand4(state); return warpcost::data<float4>(); }
__device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10 *state) { curand4(state); return warpcost::data<double2>(); }

// Two numbers by Box and Muller; every second call gives the one that was kept.
template <class S> __device__ float curand_normal(S *state) {
  if (state->boxmuller_flag == 0) {
    curand(state);
    curand(state);
    state->boxmuller_extra = warpcost::data<float>();
    state->boxmuller_flag = 1;
    return warpcost::data<float>();
  }
  state->boxmuller_flag = 0;
  return state->boxmuller_extra;
}
template <class S> __device__ double curand_normal_double(S *state) {
  if (state->boxmuller_flag_double == 0) {
    for (int i = 0; i < 4; i++) curand(state);
    state->boxmuller_extra_double = warpcost::data<double>();
    state->boxmuller_flag_double = 1;
    return warpcost::data<double>();
  }
  state->boxmuller_flag_double = 0;
  return state->boxmuller_extra_double;
}
template <class S> __device__ float2 curand_normal2(S *state) { curand(state); curand(state); return warpcost::data<float2>(); }
__device__ inline float4 curand_normal4(curandStatePhilox4_32_10 *state) { curand4(state); return warpcost::data<float4>(); }
template <class S> __device__ float curand_log_normal(S *state, float mean, float deviation) { return expf(mean + deviation * curand_normal(state)); }
