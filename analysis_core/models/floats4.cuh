// What the header of the CUDA samples has for vectors of floats alone.
inline __host__ __device__ VECTOR lerp(VECTOR a, VECTOR b, float t) { return a + t * (b - a); }
inline __host__ __device__ float length(VECTOR v) { return sqrtf(dot(v, v)); }
inline __host__ __device__ VECTOR normalize(VECTOR v) { float s = rsqrtf(dot(v, v)); return v * s; }
inline __host__ __device__ VECTOR fminf(VECTOR a, VECTOR b) { return MAKE(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w)); }
inline __host__ __device__ VECTOR fmaxf(VECTOR a, VECTOR b) { return MAKE(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)); }
inline __host__ __device__ VECTOR fabs(VECTOR v) { return MAKE(fabs(v.x), fabs(v.y), fabs(v.z), fabs(v.w)); }
inline __host__ __device__ VECTOR floorf(VECTOR v) { return MAKE(floorf(v.x), floorf(v.y), floorf(v.z), floorf(v.w)); }
inline __host__ __device__ VECTOR make_float4(float3 a, float w) { return MAKE(a.x, a.y, a.z, w); }
inline __host__ __device__ VECTOR make_float4(float3 a) { return MAKE(a.x, a.y, a.z, 0.0f); }
