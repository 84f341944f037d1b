// Vectors of 4 components as the header of the CUDA samples adds to them; VECTOR, ELEMENT and MAKE come from `index.txt`.
inline __host__ __device__ VECTOR MAKE(ELEMENT x, ELEMENT y, ELEMENT z, ELEMENT w) { VECTOR r; r.x = x; r.y = y; r.z = z; r.w = w; return r; }
inline __host__ __device__ VECTOR MAKE(ELEMENT s) { return MAKE(s, s, s, s); }
inline __host__ __device__ VECTOR operator-(const VECTOR a) { return MAKE(-a.x, -a.y, -a.z, -a.w); }
inline __host__ __device__ VECTOR operator+(VECTOR a, VECTOR b) { return MAKE(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
inline __host__ __device__ VECTOR operator+(VECTOR a, ELEMENT b) { return MAKE(a.x + b, a.y + b, a.z + b, a.w + b); }
inline __host__ __device__ VECTOR operator+(ELEMENT a, VECTOR b) { return MAKE(a + b.x, a + b.y, a + b.z, a + b.w); }
inline __host__ __device__ void operator+=(VECTOR &a, VECTOR b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }
inline __host__ __device__ void operator+=(VECTOR &a, ELEMENT b) { a.x += b; a.y += b; a.z += b; a.w += b; }
inline __host__ __device__ VECTOR operator-(VECTOR a, VECTOR b) { return MAKE(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
inline __host__ __device__ VECTOR operator-(VECTOR a, ELEMENT b) { return MAKE(a.x - b, a.y - b, a.z - b, a.w - b); }
inline __host__ __device__ VECTOR operator-(ELEMENT a, VECTOR b) { return MAKE(a - b.x, a - b.y, a - b.z, a - b.w); }
inline __host__ __device__ void operator-=(VECTOR &a, VECTOR b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; a.w -= b.w; }
inline __host__ __device__ void operator-=(VECTOR &a, ELEMENT b) { a.x -= b; a.y -= b; a.z -= b; a.w -= b; }
inline __host__ __device__ VECTOR operator*(VECTOR a, VECTOR b) { return MAKE(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
inline __host__ __device__ VECTOR operator*(VECTOR a, ELEMENT b) { return MAKE(a.x * b, a.y * b, a.z * b, a.w * b); }
inline __host__ __device__ VECTOR operator*(ELEMENT a, VECTOR b) { return MAKE(a * b.x, a * b.y, a * b.z, a * b.w); }
inline __host__ __device__ void operator*=(VECTOR &a, VECTOR b) { a.x *= b.x; a.y *= b.y; a.z *= b.z; a.w *= b.w; }
inline __host__ __device__ void operator*=(VECTOR &a, ELEMENT b) { a.x *= b; a.y *= b; a.z *= b; a.w *= b; }
inline __host__ __device__ VECTOR operator/(VECTOR a, VECTOR b) { return MAKE(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w); }
inline __host__ __device__ VECTOR operator/(VECTOR a, ELEMENT b) { return MAKE(a.x / b, a.y / b, a.z / b, a.w / b); }
inline __host__ __device__ VECTOR operator/(ELEMENT a, VECTOR b) { return MAKE(a / b.x, a / b.y, a / b.z, a / b.w); }
inline __host__ __device__ void operator/=(VECTOR &a, VECTOR b) { a.x /= b.x; a.y /= b.y; a.z /= b.z; a.w /= b.w; }
inline __host__ __device__ void operator/=(VECTOR &a, ELEMENT b) { a.x /= b; a.y /= b; a.z /= b; a.w /= b; }
inline __host__ __device__ ELEMENT dot(VECTOR a, VECTOR b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline __host__ __device__ VECTOR min(VECTOR a, VECTOR b) { return MAKE(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)); }
inline __host__ __device__ VECTOR max(VECTOR a, VECTOR b) { return MAKE(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)); }
inline __host__ __device__ VECTOR clamp(VECTOR v, ELEMENT a, ELEMENT b) { return MAKE(max(a, min(v.x, b)), max(a, min(v.y, b)), max(a, min(v.z, b)), max(a, min(v.w, b))); }
inline __host__ __device__ VECTOR clamp(VECTOR v, VECTOR a, VECTOR b) { return MAKE(max(a.x, min(v.x, b.x)), max(a.y, min(v.y, b.y)), max(a.z, min(v.z, b.z)), max(a.w, min(v.w, b.w))); }
