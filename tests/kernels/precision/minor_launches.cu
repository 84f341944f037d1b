// What threads do once along the boundary of a grid, or in a launch of far fewer threads than another beside it, the program does not notice.

__global__ void inner(double *p, const double *q, int w, int h) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h)
        p[y * w + x] = q[x * h + y];
//                     ^^^^^^^^^^^^ warn[WC101]
}

// h threads, beside w * h.
__global__ void left_side(double *p, int w, int h) {
    int y = blockIdx.x * 256 + threadIdx.x;
    if (y < h)
        p[y * w] = 0.0;
//      ^^^^^^^^ info[WC101] "`inner` does 1000 times as much"
}

// As many threads, each of which goes through its row.
__global__ void rows(double *sum, const double *p, int w, int h) {
    int y = blockIdx.x * 256 + threadIdx.x;
    double all = 0.0;
    if (y < h)
        for (int x = 0; x < w; x++)
            all += p[y * w + x];
//                 ^^^^^^^^^^^^ warn[WC101]
    if (y < h) sum[y] = all;
}

__global__ void corners(double *p) {
    p[32 * threadIdx.x] = 0.0;
//  ^^^^^^^^^^^^^^^^^^^ hint[WC101]
}

__global__ void fixed(double *p) {
    p[8 * (blockIdx.x * 256 + threadIdx.x)] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
}

// A sixteenth of the threads is no small part of them.
__global__ void a_sixteenth(double *p) {
    p[8 * (blockIdx.x * 256 + threadIdx.x)] = 2.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
}

void steps(double *p, double *q, int w, int h, int n) {
    dim3 all((w + 15) / 16, (h + 15) / 16), side((h + 255) / 256);
    for (int i = 0; i < n; i++) {
        inner<<<all, dim3(16, 16)>>>(p, q, w, h);
        left_side<<<side, 256>>>(p, w, h);
        rows<<<side, 256>>>(q, p, w, h);
    }
}

void constants(double *p, int n) {
    dim3 grid(4096 / 16, 16);
    for (int i = 0; i < n; i++) {
        fixed<<<grid, 256>>>(p);
        a_sixteenth<<<256, 256>>>(p);
        corners<<<1, 64>>>(p);
    }
}

// One element of 1024, beside kernels that go over all: numbers of blocks as a function of the host makes them.
__global__ void all_elements(float *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

__global__ void of_each_block(float *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = in[1024 * i + 1023];
//               ^^^^^^^^^^^^^^^^^^^ hint[WC101]
}

// One of four is more than a little.
__global__ void of_each_four(float *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = in[4 * i];
//               ^^^^^^^^^ warn[WC101]
}

constexpr int kThreads = 256;

static int blocks_for(int n, int threads) { return n % threads ? n / threads + 1 : n / threads; }

void scan(float *out, const float *in, int n) {
    int sums = blocks_for(n / 1024, kThreads);
    all_elements<<<blocks_for(n, kThreads), kThreads>>>(out, in, n);
    of_each_block<<<sums, kThreads>>>(out, in, n / 1024);
    of_each_four<<<(n / 4 + kThreads - 1) / kThreads, kThreads>>>(out, in, n / 4);
}

// A warp that goes through a tile, of which each request waits for the one before: as much as the blocks beside it do.
__global__ void diagonal(float *p, int pitch) {
    __shared__ float tile[32][32];
    for (int y = 0; y < 32; y++)
        tile[y][threadIdx.x] = p[y * pitch + threadIdx.x];
    for (int x = 0; x < 31; x++)
        tile[threadIdx.x][x + 1] += tile[threadIdx.x][x];
//      ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]
    p[threadIdx.x] = tile[threadIdx.x][31];
}

__global__ void beside_it(float *p, int pitch) {
    p[blockIdx.x * 256 + threadIdx.x] *= 2.0f;
}

void factor(float *p, int n) {
    for (int i = 0; i < n; i += 32) {
        diagonal<<<1, 32>>>(p, n);
        beside_it<<<(n - i) / 256, 256>>>(p, n);
    }
    diagonal<<<1, 32>>>(p, n);  // what is left
}

// Shapes that are set again and again: what they are at each launch.
__global__ void first_column(double *p, int w, int h) {
    int y = blockIdx.x * 256 + threadIdx.x;
    if (y < h)
        p[y * w] = 0.0;
//      ^^^^^^^^ info[WC101] "`by_rows` does 2000 times as much"
}

__global__ void by_rows(double *p, int w, int h) {
    int y = blockIdx.x * 64 + threadIdx.x, x = blockIdx.y * 4 + threadIdx.y;
    if (x < w && y < h)
        p[y * w + x] *= 2.0;
//      ^^^^^^^^^^^^ warn[WC101]
}

// Nobody knows which shape it has.
__global__ void of_either(double *p, int w, int h) {
    int y = blockIdx.x * 256 + threadIdx.x;
    if (y < h)
        p[y * w] = 1.0;
//      ^^^^^^^^ warn[WC101]
}

void set_again(double *p, int w, int h, int n) {
    dim3 grid(1, 1, 1), block(1, 1, 1);
    block.x = 256;
    grid.x = h / 256 + 1;
    for (int i = 0; i < n; i++)
        first_column<<<grid, block>>>(p, w, h);
    block.x = 64;
    block.y = 4;
    grid.x = h / 64 + 1;
    grid.y = w / 4 + 1;
    for (int i = 0; i < n; i++)
        by_rows<<<grid, block>>>(p, w, h);
}

void either(double *p, int w, int h, int n) {
    dim3 one((h + 255) / 256), all((h + 63) / 64, (w + 3) / 4);
    if (n > 4)
        one.y = w;
    of_either<<<one, 256>>>(p, w, h);
    by_rows<<<all, dim3(64, 4)>>>(p, w, h);
}

// Through calls: what is launched for one row of each plane, beside planes, in the loop of whoever calls both.
__global__ void planes(double *p, int w, int h) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    p[x * h + y] *= 2.0;
//  ^^^^^^^^^^^^ warn[WC101]
}

__global__ void one_row(double *p, int w) {
    p[(blockIdx.x * 256 + threadIdx.x) * w] = 0.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "`planes` does 2000 times as much"
}

// The same in no loop.
__global__ void once_a_row(double *p, int w) {
    p[(blockIdx.x * 256 + threadIdx.x) * w] = 0.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "`planes` does 2000 times as much"
}

void for_planes(double *p, int a, int b) {
    planes<<<dim3(a / 64, b / 4), dim3(64, 4)>>>(p, a, b);
}

void for_rows(double *p, int length, int pitch) {
    one_row<<<length / 256, 256>>>(p, pitch);
}

void for_rows_once(double *p, int length, int pitch) {
    once_a_row<<<length / 256, 256>>>(p, pitch);
}

void both(double *p, int columns, int lines) {
    for_planes(p, columns, lines);
    for_rows(p, lines, columns);
}

void simulated(double *p, int columns, int lines, int steps) {
    for (int i = 0; i < steps; i++)
        both(p, columns, lines);
}

void tried(double *p, int columns, int lines) {
    for_planes(p, columns, lines);
    for_rows_once(p, lines, columns);
}

// A block of threads that goes through m elements, beside 128 times as many.
__global__ void per_element(float *p, int n) {
    p[blockIdx.x * 128 + threadIdx.x] += 1.0f;
}

__global__ void a_block(float *p, int n, int m) {
    for (int i = threadIdx.x; i < m; i += 512)
        p[16 * i] = n;
//      ^^^^^^^^^ info[WC101] "`per_element` does 260 times as much"
}

void blocks_of_elements(float *p, int n, int steps) {
    for (int i = 0; i < steps; i++) {
        per_element<<<n, 128>>>(p, n);
        a_block<<<1, 512>>>(p, n, n);
    }
}

// Threads for rows that go through lists of which nobody knows how long they are, beside a square of threads: either may do more.
__global__ void in_lists(int *p, const int *first, const int *which, const int *weight, int n, int pitch) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        for (int j = first[i]; j < first[i + 1]; j++)
//                             ^^^^^^^^^^^^^^^^ info[WC302]!
            p[i * pitch + which[j]] = weight[j];
//                        ^^^^^^^^ info[WC101]!
}

__global__ void in_longer_lists(int *p, const int *first, const int *which, const int *weight, int n, int pitch) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        for (int j = first[i]; j < first[i + 1]; j++)
//                             ^^^^^^^^^^^^^^^^ info[WC302]!
            p[i * pitch + which[j]] = weight[j];
//                        ^^^^^^^^ info[WC101]!
}

__global__ void in_square(int *p) { p[blockIdx.x * 256 + threadIdx.x] = -1; }

void of_lists(int *p, const int *first, const int *which, const int *weight, int n) {
    in_lists<<<(n + 255) / 256, 256>>>(p, first, which, weight, n, 2 * n);
    in_square<<<2 * n * 2 * n / 256, 256>>>(p);
}

void of_longer_lists(int *p, const int *first, const int *which, const int *weight, int n) {
    in_longer_lists<<<(n + 255) / 256, 256>>>(p, first, which, weight, n, 2 * n);
    in_square<<<n * n / 256, 256>>>(p);
}

// In a step that is made many times a round, in other words for nobody.
__global__ void inner_cells(double *p, int w) { p[(blockIdx.y * 16 + threadIdx.y) * w + blockIdx.x * 16 + threadIdx.x] *= 0.5; }

__global__ void halo(double *p, int w) {
    int y = blockIdx.x * 256 + threadIdx.x;
    p[y * w] = p[y * w + 2];
//  ^^^^^^^^ info[WC101]! "`inner_cells` does 1000 times as much"
}

// As often as there are cells in a row, in one of the calls.
__global__ void halo_again(double *p, int w) {
    int y = blockIdx.x * 256 + threadIdx.x;
    p[y * w] = p[y * w + 2];
//  ^^^^^^^^ warn[WC101]
}

void outside_again(double *p, int w, int h, int times) {
    for (int k = 0; k < times; k++)
        halo_again<<<(h + 255) / 256, 256>>>(p, w);
}

void inside(double *p, int w, int h) { inner_cells<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(p, w); }

void outside(double *p, int w, int h) { halo<<<(h + 255) / 256, 256>>>(p, w); }

void part(double *p, int w, int h) {
    inside(p, w, h);
    outside(p, w, h);
    inside(p, w, h);
    outside(p, w, h);
    inside(p, w, h);
    outside(p, w, h);
}

void many_parts(double *p, double *q, int w, int h, int steps) {
    for (int i = 0; i < steps; i++) {
        part(p, w, h);
        part(q, w, h);
        part(p, w, h);
        part(q, w, h);
        part(p, w, h);
        part(q, w, h);
        part(p, w, h);
        part(q, w, h);
        part(p, w, h);
        part(q, w, h);
        outside_again(p, w, h, w);
        outside_again(q, w, h, 1);
    }
}

// A size that says how often threads do something may be what makes another launch larger as well: both are of a size that the host hands on.
__global__ void cubes(const double *in, double *out, int dim, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < dim * dim; k++) out[i * 49 + k] = in[k] * i;
//                                      ^^^^^^^^^^^^^^^ info[WC101]! "`all_of_them` does 170 times as much"
}

__global__ void all_of_them(double *out) { out[blockIdx.x * 256 + threadIdx.x] = 0; }

void of_cubes(double *in, double *out, int n, int dim) {
    cubes<<<n / 256, 256>>>(in, out, dim, n);
    all_of_them<<<n, dim * dim * dim * dim * dim>>>(out);
}

void of_seven(double *in, double *out, int n) { of_cubes(in, out, n, 7); }
