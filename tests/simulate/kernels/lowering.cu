// One kernel with what a wrong lowering gets wrong: every result goes to a place of its own.
struct Mixed {
    char tag;
    short level;
    double weight;
    unsigned char last;
};
struct Packed {
    int low : 5;
    unsigned high : 7;
    short rest;
};
struct Pair {
    Mixed first;
    short after[3];
};

__device__ int narrow(signed char c) { return c; }
__device__ unsigned char wide(int v) { return v; }
__device__ void both(int &a, int *b) {
    a += 3;
    *b = a - 1;
}
__device__ int early(int v) {
    if (v > 4) return v * 2;
    for (int i = 0; i < v; i++)
        if (i == 2) return -i;
    return v;
}

__global__ void lowered(const int *in, const signed char *bytes, Pair *pairs, long long *out, short grid[][5], int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    long long *to = out + i * 32;
    const int *p = in + i + 4;
    *to++ = *p;
    *to++ = *(p - 3);
    *to++ = p[-1];
    *to++ = *p++;
    *to++ = *p--;
    *to++ = *++p;
    p -= 2;
    *to++ = *p;
    *to++ = p - in;
    unsigned back = 1u;
    *to++ = *(p + 2 - back);
    int x = in[i];
    int before = x++, after = ++x;
    *to++ = before * 100 + after + x--;
    *to++ = bytes[i];
    *to++ = (unsigned char)bytes[i];
    *to++ = (unsigned)bytes[i] >> 3;
    *to++ = bytes[i] >> 1;
    *to++ = narrow(in[i]) + wide(in[i]);
    short s = in[i] * 257;
    s += 70;
    *to++ = s;
    *to++ = -1 < 1u ? 10 : 20;
    *to++ = (in[i] - 200) / 2u;
    *to++ = (short)-3 << 2u;
    *to++ = (bytes[i] | -8) >> 1ull;
    *to++ = -7 / 2 + (-7 % 4) * 10 + (~t & 3);
    switch (t % 6) {
        case 0:
        case 1: *to++ = 1; break;
        case 4: *to = 5;
        case 2: *to++ = 2; break;
        default: *to++ = 9;
        case 3: to[-1]++;
    }
    Pair *q = &pairs[i];
    q->first.tag = i;
    q->first.level = -i;
    q->first.weight = i * 0.5;
    q->first.last = 250 + i;
    (q + 0)->after[t % 3] = q->first.last;
    pairs[i].after[(t + 1) % 3]--;
    Mixed *first = &q->first;
    *to++ = first->level + first->last;
    Packed bits;
    bits.low = in[i];
    bits.high = in[i];
    *to++ = bits.low * 1000 + bits.high + (bits.high - 200) / 3;
    int a = t, b = 0;
    both(a, &b);
    *to++ = a * 100 + b;
    *to++ = early(t % 8);
    *to++ = (a = 5, a++, a + b);
    *to++ = t > 3 && in[i] > 0 || !b;
    grid[i][t % 5] = (short)i;
    short *row = grid[i];
    *(row + (t + 1) % 5) += 2;
    *to++ = &grid[i][4] - &grid[0][1];
    long long big = in[i];
    big <<= 33;
    *to++ = big >> 31;
    *to = sizeof(Pair) + sizeof(Mixed) * 100;
}
