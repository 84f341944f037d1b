// How many lanes idle beside what memory decides, as far as the text tells.
// PARAM: --block 256

// Flags of places make regions: lanes of neighbours part at the borders of these, whatever lies there.
__global__ void regions(float *out, const float *in, const char *kind, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (kind[i] < 4) {
//      ^^^^^^^^^^^ none[WC301]
        float sum = 0.0f;
        for (int k = 0; k < 19; k++)
            sum = sum * in[k * n + i] + 1.0f / (sum + in[k * n + i]);
        out[i] = sum;
    }
}

// What a flag that memory picks says is as scattered as what picks it.
__global__ void picked(float *out, const float *in, const char *kind, const int *cell, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (kind[cell[i]] < 4) {
//      ^^^^^^^^^^^^^^^^^ info[WC301] "depends on data: `kind[cell[i]]`"
//      ^^^^^^^^^^^^^ hint[WC101]
        float sum = 0.0f;
        for (int k = 0; k < 19; k++)
            sum = sum * in[k * n + i] + 1.0f / (sum + in[k * n + i]);
        out[i] = sum;
    }
}

// One letter of many stands anywhere.
__global__ void one_letter(float *out, const float *in, const char *letters, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (letters[i] == 'A') {
//      ^^^^^^^^^^^^^^^^^ info[WC301] "depends on data: `letters[i]`"
        float sum = 0.0f;
        for (int k = 0; k < 19; k++)
            sum = sum * in[k * n + i] + 1.0f / (sum + in[k * n + i]);
        out[i] = sum;
    }
}

// Lanes whose interval is found have nothing left to do, and the block goes on until all are done.
__global__ void levels(float *out, const float *in, const float *from, const float *to, int n) {
    __shared__ int open;
    float left = from[threadIdx.x], right = to[threadIdx.x];
    while (true) {
        open = 0;
        __syncthreads();
        if (left < right) {
//          ^^^^^^^^^^^^ none[WC301]
            float x = (left + right) * 0.5f, sum = 1.0f;
            for (int k = 0; k < n; k++)
                sum = in[k] - x - in[n + k] / sum;
            if (sum < 0.0f)
                left = x;
            else
                right = x;
            if (right - left > 1.0f)
                open = 1;
        }
        __syncthreads();
        if (open == 0)
            break;
    }
    out[threadIdx.x] = left;
}

// In rounds that are counted idle lanes are lost each time.
__global__ void steps(float *out, const float *in, const int *kind, int n, int rounds) {
    for (int round = 0; round < rounds; round++) {
        __syncthreads();
        if (kind[round * 256 + threadIdx.x] < 4) {
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC301] "1 to 31 of 32 threads active"
            float sum = 1.0f;
            for (int k = 0; k < n; k++)
                sum = in[k] - in[n + k] / sum;
            out[round * 256 + threadIdx.x] = sum;
        }
        __syncthreads();
    }
}

// Lanes that search one list look at one place first: they part in the last rounds, if what they look for is near.
__global__ void merged(int *place, const int *from, const int *list, const int *half, const float *key, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = from[i], low = n, high = n + m;
    while (low < high) {
        int mid = (low + high) / 2, at = list[mid - n];
//                                       ^^^^^^^^^^^^^ hint[WC101]
        bool less;
        if (at < n)
//          ^^^^^^ hint[WC301] "the warp may split (depends on data: `list[mid - n]`), 1 to 31 of 32 threads active"
            less = key[3 * at + 1] < key[x] || half[at] < half[x];
//                 ^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `list[mid - n]` scatter"
//                                   ^^^^^^ none[WC101]
        else
            less = key[3 * at + 2] < key[x] || half[at - n] < half[x + n];
        if (less)
            low = mid + 1;
        else
            high = mid;
    }
    place[i] = low;
}

// Each in a list of its own.
__global__ void in_own_lists(int *place, const int *from, const int *ends, const int *list, const int *half, const float *key, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = from[i], low = ends[i], high = ends[i + 1];
    while (low < high) {
        int mid = (low + high) / 2, at = list[mid - n];
//                                       ^^^^^^^^^^^^^ hint[WC101]
        bool less;
        if (at < n)
//          ^^^^^^ info[WC301] "osts up to about 29% of this kernel's work"
            less = key[3 * at + 1] < key[x] || half[at] < half[x];
//                 ^^^^^^^^^^^^^^^ hint[WC101]
        else
            less = key[3 * at + 2] < key[x] || half[at - n] < half[x + n];
        if (less)
            low = mid + 1;
        else
            high = mid;
    }
    place[i] = low;
}

// Lanes that leave a loop at a test do what stands there once: the loop's matter, told as that.
__global__ void last_of_chain(float *out, const float *in, const int *next, const float *weight, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        if (next[k * n + i] == i) {
//          ^^^^^^^^^^^^^^^^^^^^ none[WC301]
//          ^^^^^^^^^^^^^^^^^^^^ info[WC302] "depends on data: `next[k * n + i]`"
            for (int j = 0; j < 8; j++)
                out[j * n + i] = sum / (1.0f + in[j * n + i]);
            break;
        } else
            sum += in[k * n + i] / weight[k * n + i];
    }
}

// What idles beside the one lane in eight that merges is lost at the branch: those that are left can lose no more by leaving apart.
__global__ void merged(int *out, const int *ends, const int *keys, int n) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    if (threadIdx.x % 8 == 0) {
//      ^^^^^^^^^^^^^^^^^^^^ warn[WC301] "the warp splits, 4 of 32 threads active"
        int a = ends[row], b = ends[row + n], found = 0;
        while (a < ends[row + 1] && b < ends[row + n + 1]) {
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC302]
            int x = keys[a], y = keys[b];
//                  ^^^^^^^ hint[WC101]
            found += x == y;
            a += x <= y;
            b += y <= x;
        }
        out[row] = found;
    }
}

struct Ball { float x, y, z, r; };

struct Hit { float t; int found; };

__device__ void meets(Hit *hit, const Ball *ball, float dx, float dy) {
    float b = ball->x * dx + ball->y * dy + ball->z;
    float d = b * b - (ball->x * ball->x + ball->y * ball->y + ball->z * ball->z - ball->r * ball->r);
    if (d > 0.0f && b - sqrtf(d) < hit->t) {
        hit->t = b - sqrtf(d);
        hit->found = 1;
    }
}

// Rays through neighbouring pixels meet the same: what all lanes load parts them at its borders, as parameters would.
__global__ void pixels(float *out, const Ball *balls, const float *light, int w, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float dx = x / (w * 0.5f) - 1.0f, dy = y / (w * 0.5f) - 1.0f;
    Hit hit;
    hit.t = 1e30f;
    hit.found = 0;
    meets(&hit, balls, dx, dy);
    meets(&hit, balls + 1, dx, dy);
    float sum = 0.0f;
    if (hit.found) {
//      ^^^^^^^^^ none[WC301]
        for (int k = 0; k < n; k++)
            sum += light[k] / (1.0f + hit.t * dx * k);
    }
    out[y * w + x] = sum;
}

// Rays that lanes load each for itself go anywhere.
__global__ void rays(float *out, const Ball *balls, const float *light, const float *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Hit hit;
    hit.t = 1e30f;
    hit.found = 0;
    meets(&hit, balls, to[i], to[i + gridDim.x * 256]);
    meets(&hit, balls + 1, to[i], to[i + gridDim.x * 256]);
    float sum = 0.0f;
    if (hit.found) {
//      ^^^^^^^^^ info[WC301] "depends on data"
        for (int k = 0; k < n; k++)
            sum += light[k] / (1.0f + hit.t * k);
    }
    out[i] = sum;
}
