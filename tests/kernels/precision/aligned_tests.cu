// Alignments that the text settles: `extern __shared__` arrays begin at 16 bytes whatever their elements are, and others at what the sizes
// of all of them are multiples of.

#include <cstdint>

__global__ void by_four(const float *b, float *c, int n) {
    extern __shared__ char raw[];
    float *s = reinterpret_cast<float *>(raw);
    for (int i = threadIdx.x; i < n / 4; i += blockDim.x) {
        const float *from = &b[4 * i];
        float *to = &s[4 * i];
        if (reinterpret_cast<uintptr_t>(from) % 16 == 0 && reinterpret_cast<uintptr_t>(to) % 16 == 0) {
            *reinterpret_cast<float4 *>(to) = *reinterpret_cast<const float4 *>(from);
        } else {
            for (int j = 0; j < 4; ++j) s[4 * i + j] = b[4 * i + j];
//                                                     ^^^^^^^^^^^^ none[WC101]
        }
    }
    __syncthreads();
    c[threadIdx.x] = s[threadIdx.x];
}

// What begins one element further is not.
__global__ void moved(const float *b, float *c, int n) {
    extern __shared__ char raw[];
    float *s = reinterpret_cast<float *>(raw);
    for (int i = threadIdx.x; i < n / 4; i += blockDim.x) {
        const float *from = &b[8 * i + 1];
        if (reinterpret_cast<uintptr_t>(from) % 16 == 0) {
            *reinterpret_cast<float4 *>(&s[4 * i]) = *reinterpret_cast<const float4 *>(from);
        } else {
            for (int j = 0; j < 4; ++j) s[4 * i + j] = b[8 * i + j];
            //                                         ^^^^^^^^^^^^ hint[WC104]
//                                                     ^^^^^^^^^^^^ info[WC101]! "32 sectors"
        }
    }
    __syncthreads();
    c[threadIdx.x] = s[threadIdx.x];
}

// 256 halves are 128 words, four to a bank, as they do not begin in the middle of one.
__global__ void looked_up(const unsigned char *key, unsigned short *out, int n) {
    __shared__ unsigned short row[4][256];
    for (int i = 0; i < 4; ++i) row[i][threadIdx.x] = out[threadIdx.x + i];
    __syncthreads();
    unsigned short sum = 0;
    for (int i = 0; i < n; ++i) sum += row[i & 3][key[blockIdx.x * 256 + threadIdx.x + i]];
//                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201]! "(up to 4) where 1 would do"
    out[threadIdx.x] = sum;
}

// An odd array before it, and it may.
__global__ void behind_odd(const unsigned char *key, unsigned short *out, int n) {
    __shared__ unsigned short first[3];
    __shared__ unsigned short row[4][256];
    first[threadIdx.x % 3] = 0;
    for (int i = 0; i < 4; ++i) row[i][threadIdx.x] = out[threadIdx.x + i];
    __syncthreads();
    unsigned short sum = first[0];
    for (int i = 0; i < n; ++i) sum += row[i & 3][key[blockIdx.x * 256 + threadIdx.x + i]];
//                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201]! "(up to 5) where 1 would do"
    out[threadIdx.x] = sum;
}

void run() {
    float *b, *c;
    unsigned char *key;
    unsigned short *out;
    by_four<<<4, 256>>>(b, c, 1024);
    moved<<<4, 256>>>(b, c, 1024);
    looked_up<<<4, 256>>>(key, out, 1024);
    behind_odd<<<4, 256>>>(key, out, 1024);
}
