// Loads that use together what each of them fetches, but meet many lines: said, and no warning.

struct Body {
    double mass, charge;
    double at[3], speed[3], half[3], force[3];
};

// Six of seven parts of a record of 112 bytes, most of them loaded: members farther apart than a sector.
//@ launch block=(256)
__global__ void moved(const Body *__restrict__ body, double *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    double sum = 0;
    sum += body[i].at[0] + body[i].at[1] + body[i].at[2];
    //     ^^^^^^^^^^^^^ hint[WC104]
//         ^^^^^^^^^^^^^ info[WC101]! "32 sectors where 8 would do (4x). Neighbouring loads read the rest of these sectors. With 11 more accesses"
    sum += body[i].speed[0] + body[i].speed[1] + body[i].speed[2];
    sum += body[i].half[0] + body[i].half[1] + body[i].half[2];
    sum += body[i].force[0] + body[i].force[1] + body[i].force[2];
    out[i] = sum;
}

// A seventh of it.
//@ launch block=(256)
__global__ void weighed(const Body *__restrict__ body, double *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = body[i].mass * body[i].charge;
    //       ^^^^^^^^^^^^ hint[WC104]
//           ^^^^^^^^^^^^ warn[WC101]! "32 sectors where 8 would do (4x). With 1 more access"
}

// A member here and there: of each sector that is fetched a quarter is used.
//@ launch block=(256)
__global__ void ends(const Body *__restrict__ body, double *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = body[i].mass + body[i].at[2] + body[i].half[0] + body[i].force[2];
//           ^^^^^^^^^^^^ warn[WC101]! "32 sectors where 8 would do (4x). With 3 more accesses"
}

// Neighbours on both sides of rows of eight: a sector more for each row than its ten elements need.
__global__ void slopes(const float *__restrict__ h, float *__restrict__ out, int width) {
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = y * width + x;
    if (x > 0 && x < width - 1)
        out[i] = h[i + 1] - h[i - 1];
//               ^^^^^^^^ warn[WC101] "8 sectors where 4 would do (2x)"
}

// Half a warp of such rows, a line or two for each lane: too slow, though all of it is used.
//@ launch block=(16)
__global__ void few_lanes(float *out, float value) {
    float *row = out + (blockIdx.x * 16 + threadIdx.x) * 32;
    #pragma unroll
    for (int k = 0; k < 32; k++)
        row[k] = value * k;
      //^^^^^^ hint[WC104]
//      ^^^^^^ warn[WC101]! "16 sectors where 2 would do (8x). Each thread fills the rest of these sectors in its next iterations (L1 may absorb this). Runs 32 times"
}

// Records of seven floats at a pitch of their own, one for each of six lanes: some begin at the end of a sector.
//@ launch block=(6)
__global__ void boxes(const float *__restrict__ box, float *__restrict__ out, int pitch) {
    const float *mine = box + (blockIdx.x * 6 + threadIdx.x) * pitch;
    float sum = mine[0] + mine[1] + mine[2];
//              ^^^^^^^ none[WC101]
//              ^^^^^^^ access! worst=6 ideal=1
    out[blockIdx.x * 6 + threadIdx.x] = sum + mine[3] * mine[4] * mine[5] * mine[6];
}

// Rows of sixteen, which two lanes walk in eight rounds that compilers write out: half a warp meets eight lines at once.
//@ launch block=(64)
__global__ void in_pairs(const double *__restrict__ rows, double *__restrict__ out) {
    int t = threadIdx.x, first = (blockIdx.x * 64 + (t & 0x3e)) * 8 + (t & 1);
    double sum = 0;
    #pragma unroll
    for (int k = 0; k < 8; k++)
        sum += rows[first + 2 * k];
//             ^^^^^^^^^^^^^^^^^^^ none[WC101]
//             ^^^^^^^^^^^^^^^^^^^ access! worst=16 ideal=8
    out[blockIdx.x * 64 + t] = sum;
}

// Every second round: the halves of the sectors that it leaves are used by nobody.
//@ launch block=(64)
__global__ void in_pairs_with_gaps(const double *__restrict__ rows, double *__restrict__ out) {
    int t = threadIdx.x, first = (blockIdx.x * 64 + (t & 0x3e)) * 8 + (t & 1);
    double sum = 0;
    #pragma unroll
    for (int k = 0; k < 4; k++)
        sum += rows[first + 4 * k];
//             ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 8 would do (2x)"
    out[blockIdx.x * 64 + t] = sum;
}

// Rows of eight in a loop that is not written out, as all launches pass their length: they are there for as long, mostly.
__global__ void walked(const float *__restrict__ rows, const float *__restrict__ by, float *__restrict__ out, int length, int times) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < times; j++)
        for (int k = 0; k < length; k++)
            sum += rows[i * length + k] * by[j];
//                 ^^^^^^^^^^^^^^^^^^^^ info[WC101] "32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations"
    out[i] = sum;
}

// Rows of two, five and ten: at the least and at the greatest of these lengths they are used.
__global__ void walked_some(const float *__restrict__ rows, float *__restrict__ out, int length) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < length; k++)
        sum += rows[i * length + k];
//             ^^^^^^^^^^^^^^^^^^^^ info[WC101] "reads the rest of these sectors in its next iterations"
    out[i] = sum;
}

// One of these lengths is no small one.
__global__ void walked_any(const float *__restrict__ rows, float *__restrict__ out, int length) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < length; k++)
        sum += rows[i * length + k];
//             ^^^^^^^^^^^^^^^^^^^^ warn[WC101]
    out[i] = sum;
}

// Long rows are not.
__global__ void walked_far(const float *__restrict__ rows, float *__restrict__ out, int length) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < length; k++)
        sum += rows[i * length + k];
//             ^^^^^^^^^^^^^^^^^^^^ warn[WC101]
    out[i] = sum;
}

// Nor is what two of sixteen elements are used of.
__global__ void walked_with_gaps(const float *__restrict__ rows, float *__restrict__ out, int length) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < length; k++)
        sum += rows[i * 16 + k];
//             ^^^^^^^^^^^^^^^^ warn[WC101]
    out[i] = sum;
}

// The members that are stored fill their sectors, at a pitch that all launches pass.
__global__ void spread(float *__restrict__ terms, const float *__restrict__ in, int pitch) {
    int i = blockIdx.x * 256 + threadIdx.x;
    terms[i * pitch] = 1;
  //^^^^^^^^^^^^^^^^ hint[WC104]
//  ^^^^^^^^^^^^^^^^ info[WC101] "16 sectors where 4 would do (4x). Neighbouring stores fill the rest of these sectors"
    terms[i * pitch + 1] = in[i];
    terms[i * pitch + 2] = in[i] * in[i];
    terms[i * pitch + 3] = in[i] * in[i] * in[i];
}

// At a larger one they do not.
__global__ void spread_apart(float *__restrict__ terms, const float *__restrict__ in, int pitch) {
    int i = blockIdx.x * 256 + threadIdx.x;
    terms[i * pitch] = 1;
  //^^^^^^^^^^^^^^^^ hint[WC104]
//  ^^^^^^^^^^^^^^^^ warn[WC101]
    terms[i * pitch + 1] = in[i];
    terms[i * pitch + 2] = in[i] * in[i];
    terms[i * pitch + 3] = in[i] * in[i] * in[i];
}

void run_often(const float *rows, const float *by, float *out, int n, int times) {
    walked<<<n / 256, 256>>>(rows, by, out, 8, times);
}

void run(const float *rows, float *terms, float *out, int n) {
    walked_some<<<n / 256, 256>>>(rows, out, 2);
    walked_any<<<n / 256, 256>>>(rows, out, 2);
    walked_some<<<n / 256, 256>>>(rows, out, 5);
    walked_any<<<n / 256, 256>>>(rows, out, 5);
    walked_some<<<n / 256, 256>>>(rows, out, 10);
    walked_any<<<n / 256, 256>>>(rows, out, 100);
    slopes<<<dim3(32, 32), dim3(8, 8)>>>(rows, out, 256);
    walked_far<<<n / 256, 256>>>(rows, out, 64);
    walked_with_gaps<<<n / 256, 256>>>(rows, out, 2);
    spread<<<n / 256, 256>>>(terms, rows, 4);
    spread_apart<<<n / 256, 256>>>(terms, rows, 16);
}

struct Pair {
    float x, y;
};

// A short table of records of which each lane may load any.
//@ launch block=(256)
__global__ void looked_up(const Pair *table, const int *which, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x, k = which[i] & 31;
    out[i] = table[k].x * table[k].y;
//           ^^^^^^^^^^ hint[WC101]! "up to 8 sectors where 4 would do (2x)"
}

// One member: half of what is fetched is not used.
//@ launch block=(256)
__global__ void half_looked_up(const Pair *table, const int *which, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x, k = which[i] & 31;
    out[i] = table[k].x;
//           ^^^^^^^^^^ hint[WC101]! "up to 8 sectors where 4 would do (2x)"
}

// A table of which lanes use a little.
//@ launch block=(256)
__global__ void looked_up_far(const Pair *table, const int *which, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x, k = which[i] & 255;
    out[i] = table[k].x * table[k].y;
//           ^^^^^^^^^^ hint[WC101]! "up to 32 sectors"
}

struct Place {
    float x, y, z;
};

// One member says whether the others are loaded, as several conditions of data put together.
//@ launch block=(256)
__global__ void slopes(const Place *places, float *out, int width) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float z = places[i].z;
    bool above = !isnan(places[i + width].z) && fabsf(places[i + width].z - z) < 200;
//                      ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
    bool below = !isnan(places[i + 2 * width].z) && fabsf(places[i + 2 * width].z - z) < 200;
    float slope = places[i].x + places[i].y;
    if (above & below)
        slope = (places[i + width].x - places[i + 2 * width].x) * (places[i + width].y - places[i + 2 * width].y);
    out[i] = slope;
}

// Few lanes meet an equality.
//@ launch block=(256)
__global__ void marked(const int3 *places, int *out, int width, int mark) {
    int i = blockIdx.x * 256 + threadIdx.x, found = 0;
    if (places[i + width].z == mark) found = places[i + width].x * places[i + width].y;
//      ^^^^^^^^^^^^^^^^^^^ warn[WC101] "13 sectors where 4 would do (3.2x)"
    out[i] = found;
}

// Nobody who loads one member loads the others.
//@ launch block=(256)
__global__ void either(const Place *places, const float *by, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (by[i] > 0)
//      ^^^^^^^^^ info[WC301]
        out[i] = places[i].z;
//               ^^^^^^^^^^^ info[WC101] "12 sectors where 4 would do (3x)"
    else
        out[i] = places[i].x * places[i].y;
}
