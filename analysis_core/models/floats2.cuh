// What the header of the CUDA samples has for vectors of floats alone.
inline __host__ __device__ VECTOR lerp(VECTOR a, VECTOR b, float t) { return a + t * (b - a); }
inline __host__ __device__ float length(VECTOR v) { return sqrtf(dot(v, v)); }
inline __host__ __device__ VECTOR normalize(VECTOR v) { float s = rsqrtf(dot(v, v)); return v * s; }
inline __host__ __device__ VECTOR fminf(VECTOR a, VECTOR b) { return MAKE(fminf(a.x, b.x), fminf(a.y, b.y)); }
inline __host__ __device__ VECTOR fmaxf(VECTOR a, VECTOR b) { return MAKE(fmaxf(a.x, b.x), fmaxf(a.y, b.y)); }
inline __host__ __device__ VECTOR fabs(VECTOR v) { return MAKE(fabs(v.x), fabs(v.y)); }
inline __host__ __device__ VECTOR floorf(VECTOR v) { return MAKE(floorf(v.x), floorf(v.y)); }
