// How often loops run that data decides is a guess: what only that guess makes dear is not told.
// PARAM: --block 256

// Rows of a matrix differ in length: half of the rounds may be waited for.
__global__ void rows(float *out, const int *first, const float *value, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0.0f;
    for (int j = first[row]; j < first[row + 1]; j++)
//                           ^^^^^^^^^^^^^^^^^^ info[WC302] "(depends on data: `first[row]`). Tested 1 + T10 times per warp, where T10 counts the iterations of the loop at line 10. Costs up to about 50% of this kernel's work, assuming 32"
        sum += value[j];
//             ^^^^^^^^ info[WC101]
    out[row] = sum;
}

// A lock is free, as a rule: the loop around it runs once, and its second side is no work of each of 32 rounds in 32.
__global__ void behind_locks(int *lock, float *sum, const int *bin, const float *value, int n) {
    for (int k = 0; k < n; k++) {
        int i = k * 256 + threadIdx.x, b = bin[i];
        bool done = false;
        while (!done) {
//             ^^^^^ none[WC302]
            if (atomicCAS(&lock[b], 0, 1) == 0) {
//                         ^^^^^^^ hint[WC101]
                sum[b] += value[i];
//              ^^^^^^ access! worst=32
                atomicExch(&lock[b], 0);
                done = true;
            }
        }
    }
}

// Adding by comparison and exchange, as every other architecture did.
__global__ void by_exchange(unsigned *sum, const int *bin, const unsigned *value, int n) {
    for (int k = 0; k < n; k++) {
        unsigned *at = &sum[bin[k * 256 + threadIdx.x]], old = *at, before;
//                                                             ^^^ hint[WC101]
        do {
            before = old;
            old = atomicCAS(at, before, before ^ value[k * 256 + threadIdx.x]);
        } while (before != old);
//               ^^^^^^^^^^^^^ none[WC302]
    }
}

// Roots are hung below each other: only who was forestalled tries again. The arms lose 15% at the most, likely less than a tenth.
__global__ void hooked(int *parent, const int *from, const int *to, int n) {
    for (int k = threadIdx.x; k < n; k += 256) {
        int a = parent[from[k]], b = parent[to[k]];
//              ^^^^^^^^^^^^^^^ hint[WC101]
        bool again;
        do {
            again = false;
            if (a != b) {
                int seen;
                if (a < b) {
//                  ^^^^^ info[WC301] "the warp may split (depends on data: `parent[from[k]]`), 1 to 31 of 32 threads active"
                    if ((seen = atomicCAS(&parent[b], b, a)) != b) {
//                                         ^^^^^^^^^ hint[WC101]
                        b = seen;
                        again = true;
                    }
                } else {
                    if ((seen = atomicCAS(&parent[a], a, b)) != a) {
                        a = seen;
                        again = true;
                    }
                }
            }
        } while (again);
//               ^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data: `parent[from[k]]`)"
    }
}

// The word is read, weighed and exchanged: again only if it was changed in between.
__device__ int mixed(int x) {
    x ^= x >> 13;
    return x * 71;
}
__global__ void least(int *parent, const int *first, const int *to, int mine) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = first[i / 32] + threadIdx.x % 32; j < first[i / 32 + 1]; j += 32) {
        int at = to[j], held;
        do {
            held = parent[at];
//                 ^^^^^^^^^^ hint[WC101]
        } while ((held < 0 || mixed(held) < mixed(mine)) && atomicCAS(&parent[at], held, mine) != held);
//               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data: `parent[at]`)"
    }
}

// A table that fills up: lanes go from slot to slot, one of them further than another.
__global__ void probed(int *keys, const int *fresh) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int key = fresh[i], slot = key & 1023;
    while (true) {
        int held = keys[slot];
//                 ^^^^^^^^^^ hint[WC101]
        if (held == key)
//          ^^^^^^^^^^^ info[WC302]
            break;
        if (held == 0 && atomicCAS(&keys[slot], held, key) == held)
            break;
        slot = (slot + 1) & 1023;
    }
}

// The block goes through the rounds together, or it does not come out of the barrier.
__global__ void until_settled(int *label, const int *next, volatile int *changed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (changed[i / 32] != 0) {
//         ^^^^^^^^^^^^^^^^^^^^^ none[WC302]
        int other = label[next[i]];
//                  ^^^^^^^^^^^^^^ hint[WC101]
        __syncthreads();
        if (other < label[i])
            label[i] = other;
        __syncthreads();
    }
}

// A state that others set: one round at most, in which half of the lanes look again.
__global__ void until_free(int *state, float *out, const float *in, int n) {
    __shared__ int mine[256];
    for (int k = 0; k < n; k++) {
        mine[threadIdx.x] = state[k * 256 + threadIdx.x];
        while (mine[(threadIdx.x + 1) % 256] == 2) {
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC302]
            if (threadIdx.x % 2)
//              ^^^^^^^^^^^^^^^ none[WC301]
                mine[threadIdx.x] = 0;
            else
                mine[threadIdx.x] = 1;
        }
        for (int j = 0; j < 32; j++)
            out[(k * 32 + j) * 256 + threadIdx.x] += in[(k * 32 + j) * 256 + threadIdx.x];
    }
}

// A short walk, in retries, beside a pass over a row: with few steps it is next to nothing, however many retries there are.
__global__ void short_walk(float *out, const float *bound, const float *in, int n) {
    float x = in[threadIdx.x], sum = 0.0f;
    do {
        int at = 0;
        while (bound[at] < x)
//             ^^^^^^^^^^^^^ none[WC302]
            at++;
        for (int k = 0; k < n; k++)
            sum += in[k * 256 + threadIdx.x] * bound[at];
        x = sum;
    } while (!__all_sync(0xffffffff, x > 1.0f));
    out[threadIdx.x] = sum;
}

// All lanes go to the end that memory gives the block, by a step that nobody makes less than a warp.
__global__ void to_one_end(float *out, const float *in, const int *first, int width) {
    int end = first[blockIdx.x];
    for (int i = threadIdx.x; i < width; i += 256)
        for (int k = i; k < end; k += width)
//                      ^^^^^^^ none[WC302]
            out[k] = in[k] * 2.0f;
}

// The same with an end that is looked up again in each round.
__global__ void to_a_moving_end(float *out, const float *in, const int *count) {
    for (int k = threadIdx.x; k < *count; k += 256)
//                            ^^^^^^^^^^ none[WC302]
        out[k] = in[k] * 2.0f;
}

// Lanes that search the same table are done within a round of each other.
__global__ void search(int *out, const float *table, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, low = 0, high = n;
    float value = x[i];
    while (low < high) {
//         ^^^^^^^^^^ none[WC302]
        int middle = (low + high) / 2;
        if (table[middle] < value)
//          ^^^^^^^^^^^^^ hint[WC101]
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

// Hardly any row has nothing on its diagonal: nearly all lanes take the side with the loop.
__global__ void relaxed(float *u, const float *diagonal, const float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 12; k++)
        u[i + k * n] *= f[i + k * n];
    if (diagonal[i] != 0.0f) {
//      ^^^^^^^^^^^^^^^^^^^ none[WC301]
        float rest = f[i];
        for (int k = 0; k < 8; k++)
            rest -= u[i + k * n];
        u[i] = rest / diagonal[i];
        for (int k = 0; k < 8; k++)
            u[i + k * n] += rest;
    } else {
        u[i] = 0.0f;
    }
}

// Two ways out of one loop are one thing to be told.
__global__ void probes(int *out, const int *key, const int *value, const int *asked, int slots) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, wanted = asked[i], at = wanted % slots;
    while (true) {
        if (key[at] == wanted) {
//          ^^^^^^^^^^^^^^^^^ none[WC301]
//          ^^^^^^^ hint[WC101] "bout 60% of this kernel's global traffic"
            out[i] = value[at];
//                   ^^^^^^^^^ hint[WC101]
            out[i + slots] = value[at + 1];
            return;
        } else if (key[at] < 0) {
//                 ^^^^^^^^^^^ info[WC302] "osts up to about"
            out[i] = -1;
            return;
        }
        at = (at + 1) % slots;
    }
}

// Lanes of one warp that count in one bin have their turns: each round lets one of them through.
__global__ void tagged(volatile unsigned *bins, const unsigned *bin, int n) {
    unsigned tag = threadIdx.x << 27;
    for (int k = 0; k < n; k++) {
        unsigned at = bin[k * 256 + threadIdx.x], count;
        do {
            count = (bins[at] & 0x07ffffffu) + 1 | tag;
//                   ^^^^^^^^ hint[WC101]
            bins[at] = count;
        } while (bins[at] != count);
//               ^^^^^^^^^^^^^^^^^ info[WC302] "osts up to about"
    }
}

// A nest that halves: each round of the outer loop has one more of the inner one, and the most that it has is no count of all.
__global__ void halving_nest(float *p, int n) {
    __shared__ float s[512];
    int t = threadIdx.x;
    s[t] = p[t];
    s[t + 256] = p[t + 256];
    for (unsigned size = 2; size < n; size <<= 1)
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned at = 2 * t - (t & (stride - 1));
            s[at] += s[at + stride];
//          ^^^^^ warn[WC201] "45 times per warp if n = 1024"
        }
    p[t] = s[t];
}

// Each warp takes a piece of its own, whose ends memory holds: lanes begin next to each other and leave within a round.
__global__ void pieces(float *out, const int *cut, const float *v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, warp = i / 32;
    int start = 0;
    if (warp > 0)
        start = cut[warp - 1];
    int term = cut[warp];
    float sum = 0.0f;
    for (int j = start + threadIdx.x % 32; j < term; j += 32)
//                                         ^^^^^^^^ none[WC302]
//                                         ^^^^^^^^ branch! divergence=possible spread=1
        sum += v[j];
    out[i] = sum;
}

// All lanes are called by name in each round: they go through as many, whatever memory holds.
__global__ void carried(float *out, const int *first, const float *v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int j = first[i]; j < first[i + 1]; j++) {
//                         ^^^^^^^^^^^^^^^^ none[WC302]
        sum += v[j];
//             ^^^^ info[WC101]
        sum += __shfl_up_sync(0xffffffff, sum, 1);
    }
    out[i] = sum;
}

// Some lanes only are named, and others may have left.
__global__ void carried_by_some(float *out, const int *first, const float *v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int j = first[i]; j < first[i + 1]; j++) {
//                         ^^^^^^^^^^^^^^^^ info[WC302]
        sum += v[j];
//             ^^^^ info[WC101]
        sum += __shfl_up_sync(__activemask(), sum, 1);
    }
    out[i] = sum;
}

// A nest that halves, and the merge that follows it: the loop that halves comes to strides below 32 for sure, and a line of a function is executed as
// often as all calls of it do.
__device__ void ordered(int &a, int &b, bool up) {
    if ((a > b) == up) {
//       ^ warn[WC201] "55 times per warp if n = 1024. With 3 more accesses to `s`"
        int kept = a;
        a = b;
        b = kept;
    }
}
__global__ void nest_and_merge(int *p, int n) {
    __shared__ int s[512];
    int t = threadIdx.x;
    s[t] = p[t];
    s[t + 256] = p[t + 256];
    for (unsigned size = 2; size < n; size <<= 1)
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned at = 2 * t - (t & (stride - 1));
            ordered(s[at], s[at + stride], (t & size / 2) != 0);
        }
    for (unsigned stride = n / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned at = 2 * t - (t & (stride - 1));
        ordered(s[at], s[at + stride], true);
    }
    __syncthreads();
    p[t] = s[t];
    p[t + 256] = s[t + 256];
}

// Only callers know this stride: where it is 512 no lanes meet.
__global__ void one_merge(int *p, unsigned stride) {
    __shared__ int s[512];
    int t = threadIdx.x;
    s[t] = p[t];
    s[t + 256] = p[t + 256];
    __syncthreads();
    unsigned at = 2 * t - (t & (stride - 1));
    ordered(s[at], s[at + stride], true);
    __syncthreads();
    p[t] = s[t];
    p[t + 256] = s[t + 256];
}

// At equal sizes the outer loop would have one round, which nobody leaves before the others: a size that another is taken from is chosen apart.
__global__ void windows(const char *text, const char *word, int *hit, int length, int part, int most) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i <= length - part; i++) {
        int alike = 0;
        for (int j = 0; j < part; j++)
            if (text[t + j] == word[i + j])
                alike++;
        if (alike < most) {
//          ^^^^^^^^^^^^ info[WC302] "if length = 1024, part = 32"
            hit[t] = 1;
            break;
        }
    }
}

// Two flags, and a sum: of 64 pairs a lane looks at a few, and what it returns for is one of them.
struct Cut {
    int used, size, leaves[4];
};
__global__ void pairs(Cut *cuts, const int *a, const int *b) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    Cut *left = cuts + a[t] * 8, *right = cuts + b[t] * 8, *made = cuts + t * 8;
    for (int i = 0; i < 8; i++)
        if (left[i].used == 1)
            for (int j = 0; j < 8; j++)
                if (right[j].used == 1) {
//                  ^^^^^^^^^^^^^ hint[WC101]
                    if (left[i].leaves[0] + right[j].leaves[0] > 4)
                        continue;
                    made[j].leaves[1] = left[i].leaves[2] * right[j].leaves[3];
//                  ^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x)"
//                  ^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors"
                    if (made[j].size < 2)
//                      ^^^^^^^^^^^^^^^^ info[WC302] "at different iterations"
                        return;
                }
}

// Each lane looks through the same 64 places, and leaves at its own.
__global__ void looked_for(int *out, const int *key, const int *table) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, mine = key[t];
    for (int j = 0; j < 64; j++)
        if (table[j * 8192 + t] == mine) {
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]
            out[t] = j;
            return;
        }
}

// A search by a step that shrinks: by the time that it has come to rest the place is found, and lanes leave in the last rounds.
__global__ void search_by_steps(const float *a, const float *b, int *where, int n) {
    __shared__ float s[512];
    int t = threadIdx.x;
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
        s[t] = a[i * 256 + t];
        s[t + 256] = b[i * 256 + t];
        __syncthreads();
        int step = t, at = t + 1;
        while (true) {
            step = (step + 1) >> 1;
            if (expf(s[at]) > expf(s[511 - at])) {
//                   ^^^^^ hint[WC201] "about 3.3 wavefronts (up to 16) where 1 would do (3.3x) if the values of `s[at]` are random"
                if (expf(s[at - 1]) <= expf(s[512 - at])) break;
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302] "osts up to about 18% of this kernel's work"
                at -= step;
            } else {
                at += step;
            }
        }
        where[i * 256 + t] = at;
        __syncthreads();
    }
}

// The sum is never set back, so that the limit is one for all rounds together: no more than a cap of each, as it stands.
__global__ void digits(const float *in, float *out, int precision) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    float y = in[i], result = 0;
    while (sum < precision && y != 1.0f) {
        int m = 0;
        while (y < 2.0f && sum + m < precision) {
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302] "ested at most"
            y *= y;
            m++;
        }
        sum += m;
        result += exp2f(-sum);
        y /= 2.0f;
    }
    out[i] = result;
}

// A loop whose first rounds are known is one loop: its length is that of all rounds.
__global__ void until_told(const int *from, const int *word, int *out) {
    int t = threadIdx.x;
    bool more = true;
    while (more) {
        out[8 * t] += from[t];
//      ^^^^^^^^^^ warn[WC101]! "uns once per iteration of the loop at line 440 (2 requests each)"
        __syncthreads();
        more = word[0] > 3;
        __syncthreads();
    }
}

// Those that may have left earlier, too.
__global__ void until_counted(const int *from, const int *word, int *out) {
    int t = threadIdx.x, rounds = 0;
    while (true) {
        rounds++;
        out[8 * t] += from[t];
//      ^^^^^^^^^^ warn[WC101]! "uns once per iteration of the loop at line 452 (2 requests each)"
        __syncthreads();
        if (word[0] == rounds) break;
    }
}

// Not all of these kernels wait where they should.
