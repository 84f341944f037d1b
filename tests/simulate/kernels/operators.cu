// Operators of classes: members, functions, of both positions, in chains.
struct V2 {
    int x, y;
    __device__ V2 operator+(const V2 &o) const { return {x + o.x, y + o.y}; }
    __device__ V2 &operator+=(const V2 &o) { x += o.x; y += o.y; return *this; }
    __device__ V2 operator-() const { return {-x, -y}; }
    __device__ bool operator==(const V2 &o) const { return x == o.x && y == o.y; }
    __device__ int &operator[](int i) { return i ? y : x; }
    __device__ const int &operator[](int i) const { return i ? y : x; }
    __device__ V2 &operator++() { ++x; return *this; }
    __device__ V2 operator++(int) { V2 old = *this; ++x; return old; }
    __device__ explicit operator bool() const { return x != 0; }
    
};
__device__ V2 operator*(int s, const V2 &v) { return {s * v.x, s * v.y}; }
__device__ V2 operator-(const V2 &a, const V2 &b) { return V2{a.x - b.x, a.y - b.y}; }
__global__ void operators(const int *in, int *changed, long long *out, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    long long *to = out + i * 32;
    V2 a{in[i], t}, b{1, 2};
    V2 c = a + b;
    *to++ = c.x * 1000 + c.y;
    c += b += a;
    *to++ = c.x * 1000 + c.y;
    *to++ = b.x * 1000 + b.y;
    c = -c;
    *to++ = c.x * 1000 + c.y;
    *to++ = (a == b) + 10 * (a == a);
    a[t & 1] = 77;
    *to++ = a.x * 1000 + a.y;
    const V2 &k = a;
    *to++ = k[1] + k[0];
    V2 old = a++;
    *to++ = old.x * 1000 + a.x;
    V2 nw = ++a;
    *to++ = nw.x * 1000 + a.x;
    c = 3 * a - b;
    *to++ = c.x * 1000 + c.y;
    if (c) *to++ = 5; else *to++ = 6;
    (c += a)[0] = 9;
    *to++ = c.x * 1000 + c.y;
    (++c).y = 4;
    *to++ = c.x * 1000 + c.y;
}
