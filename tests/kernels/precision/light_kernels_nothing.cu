// Kernels that do next to nothing beside others that are launched wherever they are: what they waste is a hint.

struct Pair {
    float first, second;
};

// Each thread goes through all triples.
__global__ void all_of_them(const float *p, float *f, int n, int many) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int a = 0; a < many; a++)
        for (int b = 0; b < many; b++)
            for (int c = 0; c < many; c++) sum += p[a] * p[b] * p[c];
    if (i < n && k < many) f[k * n + i] = sum;
}

// Each thread goes through one row.
__global__ void of_a_row(const float *p, float *f, int n, int many) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int a = 0; a < many; a++) sum += p[a];
    if (i < n) f[i] = sum;
}

// This one clears, over `other` columns: nobody knows whether that is less than what the triples take.
__global__ void cleared(Pair *f, int all) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < all) {
        f[i].first = 0;
//      ^^^^^^^^^^ info[WC101]! "8 sectors where 4 would do (2x). Neighbouring stores fill the rest of these sectors"
        f[i].second = 0;
    }
}

// Beside one loop alone it may be what a program waits for.
__global__ void cleared_beside_one_loop(Pair *f, int all) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < all) {
        f[i].first = 0;
//      ^^^^^^^^^^ info[WC101]! "8 sectors where 4 would do (2x). Neighbouring stores fill the rest of these sectors"
        f[i].second = 0;
    }
}

// Nobody knows how long the loop of this one is.
__global__ void cleared_in_rows(Pair *f, const int *ends, int all) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int end = ends[0];
    if (i < all)
        for (int k = 0; k < end; k++) f[k * all + i].first = 0;
//                                    ^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors"
}

// Turned around once, before many rounds that go through as much each.
__global__ void turned(const float *in, float *out, int n, int row) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < row && i < n; k++) out[k * n + i] = in[i * row + k];
//                                                          ^^^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do (8x)"
}

__global__ void nearest(const float *in, const float *centers, int *out, int n, int row, int many) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int best = 0;
    float least = 1e30f;
    for (int c = 0; c < many; c++) {
        float sum = 0;
        for (int k = 0; k < row; k++) sum += in[k * n + i] * centers[c * row + k];
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    if (i < n) out[i] = best;
}

// Launched as often, it does a thousandth: no hint.
__global__ void turned_each_time(const float *in, float *out, int n, int row) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < row && i < n; k++) out[k * n + i] = in[i * row + k];
//                                                          ^^^^^^^^^^^^^^^ info[WC101]! "up to 32 sectors where 4 would do (8x)"
}

void steps(Pair *f, const int *ends, const float *p, float *g, int n, int many, int other, int rounds) {
    for (int s = 0; s < rounds; s++) {
        cleared_in_rows<<<(n * many + 255) / 256, 256>>>(f, ends, n * many);
        cleared<<<(n * other + 255) / 256, 256>>>(f, n * other);
        all_of_them<<<dim3((n + 15) / 16, (many + 15) / 16), dim3(16, 16)>>>(p, g, n, many);
    }
}

void shorter_steps(Pair *f, const float *p, float *g, int n, int many, int other, int rounds) {
    for (int s = 0; s < rounds; s++) {
        cleared_beside_one_loop<<<(n * other + 255) / 256, 256>>>(f, n * other);
        of_a_row<<<(n + 255) / 256, 256>>>(p, g, n, many);
    }
}

void clusters(const float *in, float *turned_in, const float *centers, int *out, int n, int row, int many, int most) {
    for (int s = 0; s < most; s++) {
        turned<<<(n + 255) / 256, 256>>>(in, turned_in, n, row);
        for (int round = 0; round < most; round++) nearest<<<(n + 255) / 256, 256>>>(turned_in, centers, out, n, row, many);
    }
}

void clusters_at_once(const float *in, float *turned_in, const float *centers, int *out, int n, int row, int many, int most) {
    for (int s = 0; s < most; s++) {
        turned_each_time<<<(n + 255) / 256, 256>>>(in, turned_in, n, row);
        nearest<<<(n + 255) / 256, 256>>>(turned_in, centers, out, n, row, many);
    }
}

// Two ways to do the same: one is not light because the other takes long.
__global__ void first_way(Pair *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f[i].first += 1;
//             ^^^^^^^^^^ warn[WC101]! "8 sectors where 4 would do (2x)"
}

__global__ void second_way(Pair *f, const float *p, int n, int many) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int a = 0; a < many; a++)
        for (int b = 0; b < many; b++) sum += p[a] * p[b];
    if (i < n) f[i].second += sum;
}

// Beside the third way, that all go.
__global__ void before_all_ways(Pair *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f[i].first += 1;
//             ^^^^^^^^^^ hint[WC101]! "8 sectors where 4 would do (2x)"
}

// The ways are gone in turn.
__global__ void in_turn_first(Pair *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f[i].first += 1;
//             ^^^^^^^^^^ hint[WC101]! "8 sectors where 4 would do (2x)"
}

void one_way(int variant, Pair *f, const float *p, int n, int many) {
    switch (variant) {
        case 0:
        case 1:
            first_way<<<(n + 255) / 256, 256>>>(f, n);
            break;
        default:
            second_way<<<(n + 255) / 256, 256>>>(f, p, n, many);
    }
}

void ways(int variant, Pair *f, const float *p, int n, int many, int rounds) {
    for (int s = 0; s < rounds; s++) {
        before_all_ways<<<(n + 255) / 256, 256>>>(f, n);
        one_way(variant, f, p, n, many);
    }
}

void all_ways(Pair *f, const float *p, int n, int many, int rounds) {
    for (int s = 0; s < rounds; s++) {
        if (s == 0) in_turn_first<<<(n + 255) / 256, 256>>>(f, n);
        else second_way<<<(n + 255) / 256, 256>>>(f, p, n, many);
    }
}

// Far more threads, each of which does more.
__global__ void scored(const float *p, float *f, int n, int columns, int many) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int a = 0; a < 8 * many; a++) sum += p[a];
    if (i < n * columns) f[i] = sum;
}

__global__ void best_of_row(const float *f, float *best, int n, int columns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float most = 0;
    if (i < n) {
        for (int c = 0; c < columns; c++) most = fmaxf(most, f[i * columns + c]);
//                                                           ^^^^^^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors"
        best[i] = most;
    }
}

void scores(const float *p, float *f, float *best, int n, int columns, int many, int rounds) {
    for (int s = 0; s < rounds; s++) {
        scored<<<(n * columns + 255) / 256, 256>>>(p, f, n, columns, many);
        best_of_row<<<(n + 255) / 256, 256>>>(f, best, n, columns);
    }
}
