// Nested classes, unions, enumerations, templates with defaults, static members, ranges.
enum class Kind : unsigned char { A, B = 5, C };
struct Outer {
    struct Inner { int v = 4; int w[2] = {1, 2}; };
    Inner in;
    static const int scale = 3;
    static constexpr int more = 7;
    int plain = scale * more;
    __device__ const Inner &inner() const { return in; }
    __device__ Inner &inner() { return in; }
    __device__ static int twice(int x) { return 2 * x; }
};
union Bits { float f; unsigned u; unsigned char b[4]; };
template <class T, int N = 4, bool Up = true> struct Stack {
    T data[N];
    int top = 0;
    __device__ void push(T x) { if (top < N) data[top++] = x; }
    __device__ T pop() { return data[--top]; }
    __device__ bool empty() const { return top == 0; }
};
template <typename T> __device__ long long describe(T x) {
    if constexpr (sizeof(T) == 1) return x + 1000; else if constexpr (sizeof(T) == 8) return x * 2; else return x - 1;
}
template <class T = int> __device__ T deflt(T a, T b = T(3)) { return a * b; }
__global__ void classes(const int *in, int *changed, long long *out, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    long long *to = out + i * 32;
    Kind kind = static_cast<Kind>(t % 3 == 0 ? 0 : 5);
    *to++ = (int)kind;
    switch (kind) { case Kind::A: *to++ = 1; break; case Kind::B: *to++ = 2; break; default: *to++ = 3; }
    Outer o;
    *to++ = o.in.v + o.in.w[1] * 10 + o.plain * 100;
    o.inner().v += t;
    o.inner().w[t & 1] = 9;
    const Outer &co = o;
    *to++ = co.inner().v * 100 + co.inner().w[0] * 10 + co.inner().w[1];
    *to++ = Outer::twice(t) + Outer::scale + o.more;
    Bits bits;
    bits.f = in[i] * 0.5f;
    *to++ = bits.u;
    bits.b[t & 3] = 0x41;
    *to++ = bits.u;
    Stack<int> st;
    for (int j = 0; j < 6; j++) st.push(j * t);
    int acc = 0;
    while (!st.empty()) acc = acc * 3 + st.pop();
    *to++ = acc;
    Stack<short, 2, false> s2;
    s2.push(70000); s2.push(5); s2.push(6);
    *to++ = s2.pop() * 100 + s2.top;
    *to++ = describe((char)t) + describe(5) * 3 + describe(7LL) * 100;
    *to++ = deflt(t) + deflt<long long>(2, 1LL << 33);
    int arr[5] = {1, 2, 3};
    for (int &x : arr) x += t;
    int tot = 0;
    for (auto x : arr) tot = tot * 2 + x;
    *to++ = tot;
    for (const auto &x : arr) { if (x == t) continue; tot += x; }
    *to++ = tot;
}
