// What is assigned through a choice, a reference to one, or to a part of a unit; objects that are constructed unasked.
struct Counter {
    int total;
    __device__ Counter(int start = 3) : total(start) {}
};
struct Holder {
    Counter first;
    int plain;
    Counter many[2];
};
struct Flags {
    unsigned wide : 9;
    bool set : 1;
    signed char tail : 5;
};
struct Switches {
    bool a : 1;
    bool b : 1;
    unsigned char c : 3;
    bool d : 1;
};
__device__ int &either(int &a, int &b, bool first) {
    if (first) return a;
    return b;
}

__global__ void places(const int *in, int *changed, long long *out, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    long long *to = out + i * 32;
    int p = 1, q = 2;
    (t & 1 ? p : q) = 42;
    *to++ = p * 100 + q;
    (t & 2 ? p : q) += in[i];
    *to++ = p * 100 + q;
    (t & 4 ? changed[i] : q) = t;
    *to++ = p * 100 + q;
    int a = 5, b = 6;
    int &chosen = t & 1 ? a : b;
    chosen += 50;
    *to++ = a * 1000 + b;
    int &one = t & 1 ? changed[i] : changed[n + i];
    one++;
    int c = 7, d = 8;
    either(c, d, t & 2) = 9;
    *to++ = c * 10 + d;
    Counter alone, pair[2];
    pair[t & 1].total += alone.total;
    *to++ = pair[0].total * 10 + pair[1].total;
    Holder holder;
    *to++ = holder.first.total + holder.many[t & 1].total;
    Flags flags;
    flags.wide = in[i];
    flags.set = in[i] & 2;
    flags.tail = in[i];
    *to++ = flags.wide;
    *to++ = flags.set;
    *to++ = flags.tail;
    *to++ = ++flags.tail;
    *to++ = flags.wide = in[i] * 3;
    *to++ = flags.wide += 500;
    Switches s;
    s.a = in[i] & 1;
    s.b = 4;
    s.c = in[i];
    s.d = !s.a;
    *to++ = s.a + s.b * 10 + s.c * 100 + s.d * 1000;
    s.b ^= 1;
    *to++ = s.a + s.b * 10 + s.c * 100 + s.d * 1000;
    dim3 some(3, t);
    dim3 none;
    *to++ = some.x * some.y * some.z + none.y * 1000;
}
