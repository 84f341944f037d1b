// Linked nodes, views, iterators, specialisations, narrow compound assignments, subscripts both ways round.
struct Node { int key; Node *next; };
struct Mat { float m[2][2]; __device__ float &operator()(int r, int c) { return m[r][c]; } __device__ float operator()(int r, int c) const { return m[r][c]; } };
struct Iter { const int *p; __device__ bool operator!=(const Iter &o) const { return p != o.p; } __device__ int operator*() const { return *p; } __device__ Iter &operator++() { ++p; return *this; } };
struct Span { const int *b, *e; __device__ Iter begin() const { return {b}; } __device__ Iter end() const { return {e}; } };
struct View { int *data; int pitch; __device__ int *operator[](int r) const { return data + r * pitch; } };
template <class T> struct Limits { static __device__ T top() { return T(100); } };
template <> struct Limits<short> { static __device__ short top() { return 7; } };
template <int N> __device__ int fact() { return N * fact<N - 1>(); }
template <> __device__ int fact<0>() { return 1; }
__device__ auto twice(int x) -> long long { return 2LL * x; }
__device__ void fill(int (&a)[4], int v) { for (auto &x : a) x = v++; }
__device__ void link(Node *a, Node *b) { a->next = b; b->next = nullptr; }
__device__ int *pick(int *a, int *b, bool c) { return c ? a : b; }
__global__ void idioms(const int *in, int *changed, long long *out, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    long long *to = out + i * 32;
    Node x{t, nullptr}, y{2, nullptr};
    link(&x, &y);
    x.next->key += 5;
    int s = 0;
    for (Node *p = &x; p; p = p->next) s = s * 10 + p->key;
    *to++ = s;
    Mat m{};
    m(0, 1) = 1.5f; m(1, 0) += t; m(1, 1)++;
    const Mat &cm = m;
    *to++ = (long long)(cm(0, 1) * 2 + cm(1, 0) * 10 + cm(1, 1) * 100 + cm(0, 0));
    Span sp{in + (i & 7), in + (i & 7) + 3};
    int tot = 0;
    for (Iter it = sp.begin(); it != sp.end(); ++it) tot += *it;
    *to++ = tot;
    int buf[6] = {};
    View v{buf, 3};
    v[1][2] = t; v[0][t % 3] += 4;
    *to++ = buf[5] * 100 + buf[0] + buf[1] * 2 + buf[2] * 3;
    *to++ = Limits<int>::top() + Limits<short>::top() + fact<4>();
    *to++ = twice(t) + twice(1 << 30);
    int four[4];
    fill(four, t);
    *to++ = four[0] + four[3] * 100;
    int a = 1, *p = &a, &r = a;
    r += 4; (*p)--;
    *to++ = a + *p * 10 + r * 100;
    int b = 9;
    *pick(&a, &b, t & 1) = 77;
    *to++ = a * 100 + b;
    *to++ = 2[four] + four[2] + *(four + 1) + (&four[3])[-1];
    int q = 0, z[5] = {0, 0, 0, 0, 0};
    z[q++] = q; z[q] = q++; z[q++] += z[0] + 4;
    *to++ = z[0] + z[1] * 10 + z[2] * 100 + q * 1000;
    a = b = q = t;
    *to++ = a + b + q;
    unsigned char uc = 200; uc += 300; uc <<= 1; uc = uc * 3 >> 1;
    int iv = 7; iv *= 1.5f; iv -= 3u; iv /= 2.0; iv <<= uc & 3;
    short sh = 32767; sh++; unsigned u = t - 5; u >>= 28; int neg = -t; neg >>= 1; neg %= 3;
    *to++ = uc + iv * 1000LL + sh * 100000LL + u * 7 + neg;
    long long big = t * 100000 * 3LL + (t - 5 < 3u) + (-1 > 1u) + ('a' + 1) + (true + true);
    *to++ = big;
    float f = in[i] / 3 + in[i] / 3.0f; double dd = f; f = (int)f + 0.5; 
    *to++ = (long long)(f * 4) + (long long)(dd * 8) + (int)-2.7f + (unsigned char)300;
}
