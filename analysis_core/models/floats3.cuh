// What the header of the CUDA samples has for vectors of floats alone.
inline __host__ __device__ VECTOR lerp(VECTOR a, VECTOR b, float t) { return a + t * (b - a); }
inline __host__ __device__ float length(VECTOR v) { return sqrtf(dot(v, v)); }
inline __host__ __device__ VECTOR normalize(VECTOR v) { float s = rsqrtf(dot(v, v)); return v * s; }
inline __host__ __device__ VECTOR fminf(VECTOR a, VECTOR b) { return MAKE(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)); }
inline __host__ __device__ VECTOR fmaxf(VECTOR a, VECTOR b) { return MAKE(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)); }
inline __host__ __device__ VECTOR fabs(VECTOR v) { return MAKE(fabs(v.x), fabs(v.y), fabs(v.z)); }
inline __host__ __device__ VECTOR floorf(VECTOR v) { return MAKE(floorf(v.x), floorf(v.y), floorf(v.z)); }
inline __host__ __device__ VECTOR cross(VECTOR a, VECTOR b) { return MAKE(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
inline __host__ __device__ VECTOR reflect(VECTOR i, VECTOR n) { return i - 2.0f * n * dot(n, i); }
inline __host__ __device__ VECTOR make_float3(float2 a, float z) { return MAKE(a.x, a.y, z); }
inline __host__ __device__ VECTOR make_float3(float4 a) { return MAKE(a.x, a.y, a.z); }
