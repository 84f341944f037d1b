template <class T, class... U> __global__ void k(T *p, U... u) { p[(u + ... + threadIdx.x)] = sizeof...(U) ? (u, ...) : T{}; }
void run(float *p) { k<<<1, 32>>>(p, 1, 2u, 3.0, p, nullptr, "s"); k<float><<<dim3(0), -1>>>(p); }
