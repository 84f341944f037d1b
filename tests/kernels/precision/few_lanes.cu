// What data decides for each lane leaves few of them: scattered, they count for few, and are a hint at most.
// PARAM: --block 256

// Ends of paths: two tables say so, and the second is seldom negative.
__global__ void ends(int *star, int *back, const int *prime, const int *starred, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int at = prime[i];
    if (at >= 0 && starred[i] < 0) {
//  ^^ none[WC301]
        back[at] = i;
//      ^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `prime[i]` scatter"
        int next = star[at];
//                 ^^^^^^^^ none[WC101]
        star[at] = i;
        back[i] = next;
    }
}

// One table alone: a half of the lanes, or more.
__global__ void listed(int *back, const int *prime) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int at = prime[i];
    if (at >= 0) {
        back[at] = i;
//      ^^^^^^^^ hint[WC101] "uns at most once per warp"
    }
}

// Both ends of one range are one question.
__global__ void ranged(int *back, const int *prime, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int at = prime[i];
    if (at >= 0 && at < n) {
        back[at] = i;
//      ^^^^^^^^ hint[WC101]
    }
}

// What the other side of two conditions leaves over is most of the lanes.
__global__ void left_over(int *back, const int *prime, const int *state) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int at = prime[i];
    if (at < 0 || state[i] > 7) return;
    back[at] = i;
//  ^^^^^^^^ hint[WC101]
}

// The best of eight places each, told by a flag: a place is seldom bettered.
__global__ void octants(int *__restrict__ near, const int *__restrict__ where, int n, int radius) {
    int best[8];
    //  ^^^^ info[WC103]
    int i = blockIdx.x * 256 + threadIdx.x;
    int x = where[i];
    for (int k = 0; k < 8; k++) {
        best[k] = radius;
        near[256 * 8 * blockIdx.x + 256 * k + threadIdx.x] = i;
    }
    for (int j = 0; j < n; j++) {
        int d = (x - where[j]) * (x - where[j]), at = where[j] & 6;
        bool found = false;
        for (int k = 0; k < 2; k++) {
            if (d < best[at + k])
                found = true;
            if (found) {
                near[8 * i + at + k] = j;
//              ^^^^^^^^^^^^^^^^^^^^ info[WC101] "32 sectors"
                best[at + k] = d;
                break;
            }
        }
    }
}
