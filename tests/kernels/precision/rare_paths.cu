// What data decides for each lane: paths that some lanes take, or none, and words that lanes pick.
// PARAM: --block 256

// The store happens where a lane has found something better: nobody knows how often, so it is no warning, and weighs half.
__global__ void better(float *next, const float *best, const float *fresh) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = fresh[i];
    if (mine < best[8 * i])
//             ^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). 62% of this kernel's global traffic"
        next[8 * i + 1] = mine;
//      ^^^^^^^^^^^^^^^ info[WC101]! "up to 32 sectors where 4 would do (8x). Runs at most once per warp. 31% of"
}

// Two numbers have to be what they may be: each is so for half of the lanes.
__global__ void dangling(int *used, int *marks, const int *from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && marks[i] == 0 && used[i] == 0) {
        marks[i] = 1;
        atomicSub(&used[from[i]], 1);
//                 ^^^^^^^^^^^^^ access! worst=32
//                 ^^^^^^^^^^^^^ hint[WC101] "if the values of `from[i]` scatter"
    }
}

// A flag is as often 0 as not, and the lanes that carry on have most of the work below them.
__global__ void frontier(const bool *active, const bool *seen, const int *first, const int *edges, int *cost, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && active[i])
        for (int e = first[i]; e < first[i + 1]; e++) {
//                             ^^^^^^^^^^^^^^^^ info[WC302]
            int next = edges[e];
//                     ^^^^^^^^ info[WC101] "up to 32 sectors"
            if (!seen[next]) {
//               ^^^^^^^^^^ hint[WC101] "up to 32 sectors"
                cost[next] = cost[i] + 1;
//              ^^^^^^^^^^ hint[WC101] "up to 32 sectors"
            }
        }
}

// A size in memory that all lanes read holds back lanes by their number, not by data of their own.
__global__ void upto(float *v, const int *size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size[0])
        v[8 * i] = 1.0f;
//      ^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
}

// One warp of eight makes the dear request: over the block it is a fifth of the sectors.
__global__ void one_warp(float *out, const float *v, const float *w) {
    __shared__ float head[32];
    if (threadIdx.x < 32)
        head[threadIdx.x] = v[8 * threadIdx.x];
//                          ^^^^^^^^^^^^^^^^^^ info[WC101]! "32 sectors where 4 would do (8x). Runs at most once per warp. 20%"
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[2 * 256 * blockIdx.x + threadIdx.x] = w[i] + head[threadIdx.x % 32];
    out[2 * 256 * blockIdx.x + threadIdx.x + 256] = w[i + 4096 * 256] * head[threadIdx.x % 32];
}

// 46 words are at most two in a bank, which lanes at random pay nearly always, and never more.
__global__ void small_table(int *out, const unsigned char *text) {
    __shared__ short code[92];
    if (threadIdx.x < 92)
        code[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = code[text[i]];
//           ^^^^^^^^^^^^^ access! worst=2
//           ^^^^^^^^^^^^^ none[WC201]
}

// A table of 1152 bytes: 9 ways at most, 3 to 4 where lanes pick at random; shares take what may be expected.
__global__ void table(int *out, const unsigned char *text) {
    __shared__ int score[288];
    __shared__ int again[256];
    score[threadIdx.x] = threadIdx.x;
    again[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = score[text[i]] + again[threadIdx.x];
//           ^^^^^^^^^^^^^^ hint[WC201] "8) where 1 would do (3.1x) if the values of `text[i]` are random. Up to 51% of this kernel's shared-memory traffic"
}

// The nearest so far: a condition on data like any other.
__global__ void nearest(int *out, const float *points, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float best = 1e30f, mine = points[i];
    float own[4] = {1e30f, 1e30f, 1e30f, 1e30f};
    //    ^^^ info[WC103]
    for (int k = 0; k < n; k++) {
        float far = fabsf(points[k] - mine);
        if (far < best) {
            best = far;
            out[8 * i] = k;
//          ^^^^^^^^^^ access! worst=32
//          ^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x)"
        }
        int quarter = (points[k] > mine) + 2 * (k & 1);
        if (own[quarter] > far) {
            out[8 * i + quarter] = k;
//          ^^^^^^^^^^^^^^^^^^^^ hint[WC101] "if the values of `points[i]` scatter"
            own[quarter] = far;
        }
    }
}

// What begins anew in each round.
__global__ void near(int *out, const float *points, int n, float radius) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = points[i];
    for (int k = 0; k < n; k++) {
        float far = fabsf(points[k] - mine), least = radius;
        if (far < least) {
            least = far;
            out[8 * i] = k;
//          ^^^^^^^^^^ info[WC101] "up to 32 sectors"
        }
    }
}

// A counter that is set back at the end of each row: sizes decide that, and it counts in full.
__global__ void rows_of_four(int *out, const int *next, const int *words, const int *heads, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = heads[i], at = 0, sum = 0;
    for (int k = 0; k < rounds; k++) {
        if (at == 4) {
            at = 0;
            row = next[row];
//                ^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `heads[i]` scatter"
        }
        sum = sum * 31 + words[row * 4 + at];
//                       ^^^^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `heads[i]` and `next[row]` scatter"
        at++;
    }
    out[i] = sum;
}

// The other side is what the loop does in most of its rounds, and rounds of an inner loop set the counter back more often.
__global__ void other_side(int *out, const int *next, const int *words, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = 0, more = 0, sum = 0;
    for (int k = 0; k < rounds; k++) {
        if (at == 8) {
            at = 0;
            sum = 0;
        } else
            sum += words[8 * i + k];
//                 ^^^^^^^^^^^^^^^^ warn[WC101] "uns rounds times per warp. With 1 more access to `next`: 100% of this kernel's global traffic"
        at++;
        if (more >= 8) {
            more = 0;
            sum += next[8 * i + k];
        }
        for (int j = 0; j < k; j++)
            more++;
    }
    out[i] = sum;
}

// A flag that rounds set ends the work, and surely does not in the first ones: that many times, at most.
__global__ void until_settled(const int *__restrict__ table, const int *__restrict__ goal, int *out) {
    int i = blockIdx.x * 256 + threadIdx.x, state = i;
    bool done = false;
    for (int round = 0; round < 256; round++) {
        if (!done)
            state = table[state];
//                  ^^^^^^^^^^^^ hint[WC101]! "uns at most 256 times per warp"
//                  ^^^^^^^^^^^^ access! worst=32 times=256
        if (round > 2 && state == goal[i])
            done = true;
    }
    out[i] = state;
}

// A launch runs one of the loops, whichever its parameter says: the gather is a share of that one's sectors, not of both loops'.
__global__ void one_of_two(float *out, const float *fine, const float *coarse, const int *at, int mode, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (mode == 1)
        for (int k = 0; k < n; k++)
            sum += fine[at[k * 4096 + i]];
//                 ^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "scatter. Runs n times per warp. Up to 89% of this kernel's global traffic if n = 1024"
    else
        for (int k = 0; k < n; k++)
            sum += coarse[at[k * 4096 + i] + k];
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "4 would do (8x). Each thread reads the rest of these sectors in its next iterations. Runs n times per warp. Up to 89% of this kernel's global traffic if n = 1024"
    out[i] = sum;
}

// So is what comes after a return; and of a test that has nothing to do with an access the dearer side counts.
__global__ void leaves_early(float *out, const float *in, const int *at, int mode, int sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (mode == 1) {
        for (int k = 0; k < n; k++)
            out[i + k * 4096] = in[at[i + k * 4096]];
//                              ^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "p to 80% of this kernel's global traffic"
        return;
    }
    for (int k = 0; k < n; k++) {
        float x = in[8 * i + k * 4096];
//                ^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "80% of this kernel's global traffic"
        if (sum)
            out[i + k * 4096] = x + at[i + k * 4096];
        else
            out[i + k * 4096] = x - 1.0f;
    }
}

// The warps of the first half of the grid search as long as those of the second: both pay for a split in what is theirs, and the
// one warp that lies across is one of thousands.
__global__ void halves(float *out, const float *a, const float *b, const int *kind, int half, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i < half) {
        for (int k = 0; k < n; k++)
            sum += a[k] / (sum + 1.0f) + a[k + n] / (sum + 2.0f) + a[k + 2 * n] / (sum + 3.0f);
    } else {
        if (kind[i] == 0)
//          ^^^^^^^^^^^^ info[WC301] "osts up to about 49% of this kernel's work"
            for (int k = 0; k < n; k++)
                sum += b[k] / (sum + 1.0f);
        else
            for (int k = 0; k < n; k++)
                sum -= b[k + n] / (sum + 1.0f);
    }
    out[i] = sum;
}

// What changes from round to round decides nothing for a launch: a warp comes to both sides.
__global__ void in_turns(float *out, const float *in, const int *at, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        if (k & 1)
            sum += in[at[k * 4096 + i]];
//                 ^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "p to 47% of this kernel's global traffic"
        else
            sum += in[8 * i + k * 4096];
//                 ^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "47% of this kernel's global traffic"
    out[i] = sum;
}

// What looks for the last that is not 0, behind a search that found nothing: nobody knows how often, nor how far it goes.
__global__ void fallback(int *out, const float *weight, const float *sample, int n, int m) {
    __shared__ float sum[256];
    for (int row = blockIdx.x; row < m; row += gridDim.x) {
        bool found = false;
        for (int k = 0; k < n && !found; k += 256) {
            sum[threadIdx.x] = weight[row * n + k + threadIdx.x];
            __syncthreads();
            for (int d = 1; d < 256; d *= 2) {
                float x = threadIdx.x >= d ? sum[threadIdx.x - d] : 0.0f;
                __syncthreads();
                sum[threadIdx.x] += x;
                __syncthreads();
            }
            found = sum[threadIdx.x] > sample[row];
            __syncthreads();
        }
        if (threadIdx.x == 0) {
//          ^^^^^^^^^^^^^^^^ none[WC301]
            if (found)
                out[row] = n;
            else
                for (int k = n - 1; k >= 0; k--)
                    if (weight[row * n + k] > 0.0f) {
                        out[row] = k;
                        break;
                    }
        }
    }
}

// The same where each block comes to that.
__global__ void by_one(int *out, const float *weight, const float *sample, int n, int m) {
    __shared__ float sum[256];
    for (int row = blockIdx.x; row < m; row += gridDim.x) {
        for (int k = 0; k < n; k += 256)
            sum[threadIdx.x] = weight[row * n + k + threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) {
//          ^^^^^^^^^^^^^^^^ info[WC301]
            for (int k = n - 1; k >= 0; k--)
                if (weight[row * n + k] > sum[k % 256]) {
                    out[row] = k;
                    break;
                }
        }
        __syncthreads();
    }
}
