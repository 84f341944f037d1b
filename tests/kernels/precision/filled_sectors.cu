// Stores that fill their sectors together with stores beside them: L2 pays for each, memory behind it is sent whole sectors.

struct Force {
    float v, x, y, z;
};

// A record that is stored member by member.
//@ launch block=(256)
__global__ void members(Force *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i].v = in[i];
  //^^^^^^^^ hint[WC104]
//  ^^^^^^^^ info[WC101]! "16 sectors where 4 would do (4x). Neighbouring stores fill the rest of these sectors."
    out[i].x = in[i] * 2;
    out[i].y = in[i] * 3;
    out[i].z = in[i] * 4;
}

// Two of its members: half of what is sent on is not what was stored.
//@ launch block=(256)
__global__ void some_members(Force *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i].v = in[i];
  //^^^^^^^^ hint[WC104]
//  ^^^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
    out[i].x = in[i] * 2;
}

// What was in the record is loaded first: of each load the others use what it fetches.
//@ launch block=(256)
__global__ void added(Force *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i].v += in[i];
//  ^^^^^^^^ info[WC101]! "eighbouring stores fill the rest of these sectors"
    out[i].x += in[i];
    out[i].y += in[i];
    out[i].z += in[i];
}

// A short loop that compilers write out.
//@ launch block=(256)
__global__ void colours(float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int c = 0; c < 3; c++) out[3 * i + c] = in[i] * c;
//                              ^^^^^^^^^^^^^^ info[WC101]! "fills the rest of these sectors in its next iterations"
}

// Every lane goes through a row: by the time it comes to the end of a sector, its begin may have been sent on.
//@ launch block=(256)
__global__ void rows(float *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < n; k++) out[n * i + k] = in[k];
//                              ^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 4 would do (8x). Each thread fills the rest of these sectors in its next iterations (L1 may absorb this). Runs n times"
}

// The other halves are stored only where data says so.
//@ launch block=(256)
__global__ void sometimes(float2 *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i].x = in[i];
//  ^^^^^^^^ warn[WC101]! "8 sectors where 4 would do (2x)"
    if (in[i] > 0) out[i].y = in[i];
}

// Each element asks whether it is there: all but the last lane store all four.
//@ launch block=(32)
__global__ void guarded(float *out, const float *in, const int *length) {
    int t = threadIdx.x, row = blockIdx.x * 128, size = length[blockIdx.x];
    float a = in[row + t], b = in[row + t + 32], c = in[row + t + 64], d = in[row + t + 96];
    if (4 * t < size) out[row + 4 * t] = a;
//                    ^^^^^^^^^^^^^^^^ info[WC101]! "eighbouring stores fill the rest of these sectors"
    if (4 * t + 1 < size) out[row + 4 * t + 1] = b;
    if (4 * t + 2 < size) out[row + 4 * t + 2] = c;
    if (size >= 4 * t + 4) out[row + 4 * t + 3] = d;
}

// The other halves are stored below half of the bound only.
//@ launch block=(256)
__global__ void half(float2 *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[i].x = in[i];
//             ^^^^^^^^ warn[WC101]! "8 sectors where 4 would do (2x)"
    if (i < n / 2) out[i].y = 0;
}

// What both sides of a branch store, and what stands before it.
//@ launch block=(256)
__global__ void sides(unsigned char *pixels, const unsigned char *grey, int tinted) {
    unsigned char *pixel = pixels + 4 * (blockIdx.x * 256 + threadIdx.x);
    unsigned char value = grey[blockIdx.x * 256 + threadIdx.x];
    pixel[3] = 255;
//  ^^^^^^^^ info[WC101] "4 sectors where 1 would do (4x). Neighbouring stores fill the rest of these sectors"
    if (tinted % 2) {
        pixel[0] = 0;
        pixel[1] = value / 2;
        pixel[2] = value;
    } else {
        pixel[0] = value;
        pixel[1] = value;
        pixel[2] = value;
    }
}

// One side alone does not fill them.
//@ launch block=(256)
__global__ void one_side(unsigned char *pixels, const unsigned char *grey, int tinted) {
    unsigned char *pixel = pixels + 4 * (blockIdx.x * 256 + threadIdx.x);
    unsigned char value = grey[blockIdx.x * 256 + threadIdx.x];
    pixel[3] = 255;
//  ^^^^^^^^ info[WC101]! "4 sectors where 1 would do (4x)"
    if (tinted % 2) {
        pixel[0] = 0;
        pixel[1] = value / 2;
        pixel[2] = value;
    }
}
