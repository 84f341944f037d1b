// Loads that use together what each of them fetches waste nothing; what is used by none of them is wasted by all.

struct Place {
    float lat, lng;
};

// A record that is copied member by member: the second load finds its sectors in the cache.
//@ launch block=(256)
__global__ void nearest(const Place *places, float *out, float lat, float lng) {
    int i = blockIdx.x * 256 + threadIdx.x;
    Place p = places[i];
//            ^^^^^^^^^ none[WC101]
//            ^^^^^^^^^ access! worst=8 ideal=4
    out[i] = (p.lat - lat) * (p.lat - lat) + (p.lng - lng) * (p.lng - lng);
}

// Three bytes of a pixel, in rows of sixteen that begin anywhere: four to six sectors for 96 bytes.
//@ launch block=(16,16)
__global__ void grey(const unsigned char *image, float *out, int w) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int at = (y * w + x) * 3;
    out[y * w + x] = (image[at] + image[at + 1] + image[at + 2]) / 3;
//                    ^^^^^^^^^ none[WC101]
//                    ^^^^^^^^^ access! worst=6 ideal=1
}

// The rows of a sparse matrix: the end of one is the begin of the next.
//@ launch block=(256)
__global__ void degrees(const int *start, int *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = start[i + 1] - start[i];
//           ^^^^^^^^^^^^ none[WC102]
//           ^^^^^^^^^^^^ access! worst=5 ideal=4
}

// A stencil, whose neighbours are read where there are any.
//@ launch block=(256)
__global__ void smoothed(const double *u, double *out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = 2 * u[i] + (i < n - 1 ? u[i + 1] : 0.0) + (i > 0 ? u[i - 1] : 0.0);
//                                   ^^^^^^^^ none[WC102]
//                                   ^^^^^^^^ access! worst=9 ideal=8
}

// Alone it moves a sector too many.
//@ launch block=(256)
__global__ void shifted(const int *start, int *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = start[i + 1];
//           ^^^^^^^^^^^^ info[WC102]! "5 sectors where 4 would do"
}

struct Particle {
    double x, v;
    bool alive;
};

// The flag and a third of the record: most of what they fetch is used by none.
//@ launch block=(256)
__global__ void scattered(const Particle *p, double *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (p[i].alive)
//      ^^^^^^^^^^ warn[WC101]! "24 sectors where 1 would do (24x). With 1 more access to `p`"
        out[i] = p[i].x;
//               ^^^^^^ access! worst=24 ideal=8
}

// All of the record is used, but each store goes to memory by itself.
//@ launch block=(256)
__global__ void started(Place *places) {
    int i = blockIdx.x * 256 + threadIdx.x;
    places[i].lat = 0;
//  ^^^^^^^^^^^^^ info[WC101]! "8 sectors where 4 would do (2x)"
    places[i].lng = 1;
//  ^^^^^^^^^^^^^ access! worst=8 ideal=4
}

// One access that walks along a row of each lane's own, for as long as a size says, is not several accesses of one record.
//@ launch block=(256)
__global__ void summed(const float *rows, float *out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += rows[8 * i + k];
//             ^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
    out[i] = sum;
}

// Nor are members whose records lie far apart: each lane has a line of its own.
//@ launch block=(256)
__global__ void sparse(const Place *places, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = places[16 * i].lat + places[16 * i].lng;
    //       ^^^^^^^^^^^^^^^^^^ hint[WC104]
//           ^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
}

// A pair of bounds, asked for one after the other: what lanes ask for the second data says.
//@ launch block=(256)
__global__ void between(int *found, const float *bounds, float level) {
    int i = blockIdx.x * 256 + threadIdx.x, inside = 0;
    if (bounds[2 * i] <= level && level < bounds[2 * i + 1])
//      ^^^^^^^^^^^^^ warn[WC101]! "8 sectors where 4 would do (2x)"
//      ^^^^^^^^^^^^^ access! worst=8 ideal=4
//                                        ^^^^^^^^^^^^^^^^^ none[WC101]
        inside = 1;
    found[i] = inside;
}

// What is only asked for below another condition of data may never be.
//@ launch block=(256)
__global__ void below(int *found, const float *bounds, const int *wanted, float level) {
    int i = blockIdx.x * 256 + threadIdx.x, inside = 0;
    if (bounds[2 * i] <= level)
//      ^^^^^^^^^^^^^ warn[WC101]! "8 sectors where 4 would do (2x)"
        if (wanted[i] == 7)
            inside = bounds[2 * i + 1] > level;
    found[i] = inside;
}

// A row that begins within a sector: each request has a fifth one, though that is the first of the next request's.
//@ launch block=(64)
//@ assume n == 50257
__global__ void row_sum(float *out, const float *rows, int n) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += 64)
        sum += rows[i + 1];
//             ^^^^^^^^^^^ info[WC102]! "5 sectors where 4 would do (1.25x), because its elements do not begin at a multiple of 32 bytes"
//             ^^^^^^^^^^^ access! worst=5 ideal=4
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Rows that are longer than the block is wide: nobody loads what is between.
//@ launch block=(32)
__global__ void parts_of_rows(float *out, const float *rows, int n) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum += rows[i * 1024 + threadIdx.x + 1];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC102]! "5 sectors where 4 would do (1.25x)"
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}

// Two rows of sixteen at a pitch of 2049 doubles: a sector more for each, at most, which the next warp needs.
//@ launch block=(16, 16)
__global__ void last_of_rows(double *rows) {
    rows[threadIdx.y * 2049 + blockIdx.x * 16 + threadIdx.x] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=10 ideal=8
}

// Two members of one record, of which data says whether the second is read.
struct Slot { unsigned key, value; };
__global__ void live(const Slot *slot, unsigned *out) {
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (slot[i].key != 0xffffffffu) {
//      ^^^^^^^^^^^ warn[WC101]! "8 sectors where 4 would do (2x)"
//      ^^^^^^^^^^^ access! worst=8 ideal=4
        unsigned value = slot[i].value;
        if (value != 0xffffffffu)
            out[i] = value;
    }
}

// Few lanes have the one key that is looked for.
__global__ void found(const Slot *slot, unsigned *out) {
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (slot[i].key == 7)
//      ^^^^^^^^^^^ warn[WC101] "8 sectors"
        out[i] = slot[i].value;
}

// Both halves of a package of eight, in rows of four lanes: each sector is used in full, at a pitch that is a number as at one that is none.
//@ launch block=(256)
__global__ void packages(const float *__restrict__ in, float *__restrict__ out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    const float *p = in + i / 4 * 8 * n * n + i % 4;
    float re = 0, im = 0;
    for (int k = 0; k < n; k++) {
        re += p[8 * k];
//            ^^^^^^^^ none[WC101]
//            ^^^^^^^^ access! worst=8 ideal=4
        im += p[8 * k + 4];
    }
    out[i] = re * im;
}

//@ launch block=(256)
__global__ void packages_of_seven(const float *__restrict__ in, float *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    const float *p = in + i / 4 * 8 * 49 + i % 4;
    float re = 0, im = 0;
    for (int k = 0; k < 7; k++) {
        re += p[8 * k];
//            ^^^^^^^^ none[WC101]
        im += p[8 * k + 4];
    }
    out[i] = re * im;
}

// One half of each is wasted by all.
//@ launch block=(256)
__global__ void halves_of_packages(const float *__restrict__ in, float *__restrict__ out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    const float *p = in + i / 4 * 8 * n * n + i % 4;
    float re = 0;
    for (int k = 0; k < n; k++)
        re += p[8 * k];
//            ^^^^^^^^ warn[WC101]! "8 sectors where 4 would do (2x)"
    out[i] = re;
}

// Rows of three pairs that three lanes share each, in blocks that are no multiple of three: wherever the first of them begins, a row is used.
struct Pair { float first, second; };
//@ launch block=(256)
__global__ void rows_of_three(const Pair *__restrict__ a, const float *__restrict__ b, float *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int m = 0; m < 3; m++)
        sum += a[i / 3 * 3 + m].first * b[i % 3] - a[i / 3 * 3 + m].second;
//             ^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
//             ^^^^^^^^^^^^^^^^^^^^^^ access! worst=10 ideal=2
//                                                 ^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
    out[i] = sum;
}

// One of three pairs, and none uses the others.
//@ launch block=(256)
__global__ void first_of_three(const Pair *__restrict__ a, float *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = a[i / 3 * 3].first - a[i / 3 * 3].second;
//           ^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 9 sectors where 2 would do (4.5x)"
}

// Between its rounds stands a barrier: what the first one fetched may be gone.
//@ launch block=(256)
__global__ void waited_for(const Pair *__restrict__ a, float *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int m = 0; m < 3; m++) {
        sum += a[i / 3 * 3 + m].first - a[i / 3 * 3 + m].second;
//             ^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 10 sectors where 2 would do (5x)"
        __syncthreads();
    }
    out[i] = sum;
}

// Both neighbours of every second element, in places that begin anywhere: all of each sector is used.
//@ launch block=(256)
__global__ void red_and_black(const double *f, double *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = f[2 * i] - f[2 * i + 1];
    //       ^^^^^^^^ hint[WC104]
//           ^^^^^^^^ none[WC101]
}

// Four elements a lane, with 16 lines for a request: the cache looks for them one by one, and memory sends nothing in vain.
//@ launch block=(256)
__global__ void sums_of_four(const float *q, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float a = q[16 * i] + q[16 * i + 1] + q[16 * i + 2] + q[16 * i + 3] + q[16 * i + 4] + q[16 * i + 5];
    //        ^^^^^^^^^ hint[WC104]
//            ^^^^^^^^^ info[WC101]! "32 sectors where 4 would do (8x). Neighbouring loads read the rest of these sectors. With 15 more accesses"
    float b = q[16 * i + 6] + q[16 * i + 7] + q[16 * i + 8] + q[16 * i + 9] + q[16 * i + 10];
    out[i] = a * b * (q[16 * i + 11] + q[16 * i + 12] + q[16 * i + 13] + q[16 * i + 14] + q[16 * i + 15]);
}

// Half of it is used by nobody.
//@ launch block=(256)
__global__ void some_of_them(const float *q, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = q[16 * i] + q[16 * i + 1] + q[16 * i + 2] + q[16 * i + 8];
    //       ^^^^^^^^^ hint[WC104]
//           ^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
}

// A line for each lane is slow, whatever is used of it.
//@ launch block=(256)
__global__ void whole_lines(const float *q, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += q[32 * i + 4 * k] + q[32 * i + 4 * k + 1] + q[32 * i + 4 * k + 2] + q[32 * i + 4 * k + 3];
        //     ^^^^^^^^^^^^^^^^^ hint[WC104]
//             ^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this). Runs 8 times"
    out[i] = sum;
}
