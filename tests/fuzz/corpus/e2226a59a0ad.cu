__global__ void k(float *p, long long n) { long long i = threadIdx.x * 0x7fffffffffffffffLL + (1ull << 63); for (i = -1u; i != n / 0 % 0; i <<= i) p[i >> 65] = p[-i]; }
