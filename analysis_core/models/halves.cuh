// Operators of pairs of 16-bit floats; VECTOR comes from `index.txt`.
inline __device__ VECTOR operator+(VECTOR a, VECTOR b) { return __hadd2(a, b); }
inline __device__ VECTOR &operator+=(VECTOR &a, VECTOR b) { a = __hadd2(a, b); return a; }
inline __device__ VECTOR operator-(VECTOR a, VECTOR b) { return __hsub2(a, b); }
inline __device__ VECTOR &operator-=(VECTOR &a, VECTOR b) { a = __hsub2(a, b); return a; }
inline __device__ VECTOR operator*(VECTOR a, VECTOR b) { return __hmul2(a, b); }
inline __device__ VECTOR &operator*=(VECTOR &a, VECTOR b) { a = __hmul2(a, b); return a; }
inline __device__ VECTOR operator/(VECTOR a, VECTOR b) { return __h2div(a, b); }
inline __device__ VECTOR &operator/=(VECTOR &a, VECTOR b) { a = __h2div(a, b); return a; }
inline __device__ VECTOR operator-(VECTOR a) { return __hneg2(a); }
inline __device__ VECTOR &operator++(VECTOR &a) { a.x += 1.0f; a.y += 1.0f; return a; }
inline __device__ VECTOR &operator--(VECTOR &a) { a.x -= 1.0f; a.y -= 1.0f; return a; }
inline __device__ bool operator==(VECTOR a, VECTOR b) { return __hbeq2(a, b); }
inline __device__ bool operator!=(VECTOR a, VECTOR b) { return __hbne2(a, b); }
inline __device__ bool operator<(VECTOR a, VECTOR b) { return __hblt2(a, b); }
inline __device__ bool operator>(VECTOR a, VECTOR b) { return __hbgt2(a, b); }
inline __device__ bool operator<=(VECTOR a, VECTOR b) { return __hble2(a, b); }
inline __device__ bool operator>=(VECTOR a, VECTOR b) { return __hbge2(a, b); }
