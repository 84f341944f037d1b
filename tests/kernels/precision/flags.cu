// A flag that a launch passes as a constant leaves out what stands below tests of it, for findings about that launch.
#define ALONG_X 1
#define ALONG_Y 0

// Each launch has a block of its own and comes to one side: figures are those of the launch that gets there.
__global__ void sums(double *image, int width, int height, const bool direction) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    if (direction == ALONG_X) {
        image[16 * (y * width + x)] += 1;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 8 would do (4x). Runs once per warp (2 requests each). 100"
    } else {
        image[x * height + y] += 1;
//      ^^^^^^^^^^^^^^^^^^^^^ none[WC101]
//      ^^^^^^^^^^^^^^^^^^^^^ access! worst=32
    }
}

// Left early; and a number that stands for a way of doing it.
__global__ void modes(float *out, const float *in, int mode, bool skipped) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (mode == 2)
        out[8 * i] = in[i];
//      ^^^^^^^^^^ none[WC101]
    if (mode != 3)
        out[8 * i + 1] = in[i];
//      ^^^^^^^^^^^^^^ warn[WC101]! "89% of this kernel's global traffic"
    if (skipped) return;
    out[8 * i + 2] = in[i];
//  ^^^^^^^^^^^^^^ none[WC101]
}

// A size that is small here says little of other launches, and a flag that two launches pass differently leaves nothing out.
__global__ void sizes(float *out, const float *in, int n, bool twice) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (n > 4096)
        out[8 * i] = in[i];
//      ^^^^^^^^^^ warn[WC101]! "1 more access to `out`: 89% of this kernel's global traffic"
    else if (twice)
        out[8 * i + 1] = in[i];
}

void host(double *image, float *a, float *b) {
    sums<<<dim3(8, 8), dim3(32, 8)>>>(image, 256, 64, ALONG_X);
    sums<<<dim3(8, 8), dim3(1, 256)>>>(image, 256, 64, ALONG_Y);
    modes<<<4, 256>>>(a, b, 1, true);
    sizes<<<4, 256>>>(a, b, 1024, true);
    sizes<<<4, 256>>>(a, b, 1024, false);
}
