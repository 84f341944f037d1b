// The lesser of two values, written as a choice: a loop up to it makes no more rounds than either says, and by no means as many as both.
// PARAM: --block 64

// Twelve rounds of a prologue, whatever the width is: what follows is dear, and is where the finding stands.
__global__ void prologue(float *image, unsigned pitch, unsigned width, unsigned height) {
    unsigned y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height)
        return;
    float *row = image + y * pitch;
    unsigned first = 12 < width ? 12 : width;
    float sum = 0;
    for (unsigned n = 0; n < first; n++)
        sum += row[n];
//             ^^^^^^ access worst=32
    for (unsigned n = 1; n < width; n++) {
        sum += row[n];
//             ^^^^^^ warn[WC101] "uns max(0, width - 1) times per warp. With 1 more access to `image`: 100% of"
        sum *= 0.5f;
    }
    image[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Either way round, with either order.
__global__ void otherwise(float *image, int pitch, int width) {
    float *row = image + (blockIdx.x * blockDim.x + threadIdx.x) * pitch;
    float sum = 0;
    for (int n = 0; n < (width >= pitch ? pitch : width); n++)
        sum += row[n];
//             ^^^^^^ warn[WC101] "uns min(pitch, width) times per warp"
    row[0] = sum;
}

__global__ void assigned(float *image, int pitch, int width) {
    float *row = image + (blockIdx.x * blockDim.x + threadIdx.x) * pitch;
    int most;
    if (width < 100)
        most = width;
    else
        most = 100;
    float sum = 0;
    for (int n = 0; n < most; n++)
        sum += row[n];
//             ^^^^^^ warn[WC101] "uns min(100, width) times per warp"
    row[0] = sum;
}

__global__ void cut_off(float *image, int pitch, int width) {
    float *row = image + (blockIdx.x * blockDim.x + threadIdx.x) * pitch;
    int most = width;
    if (most > pitch)
        most = pitch;
    float sum = 0;
    for (int n = 0; n < most; n++)
        sum += row[n];
//             ^^^^^^ warn[WC101] "uns min(pitch, width) times per warp"
    row[0] = sum;
}

// The greater one, and one of two by what else may be: no more than the greater.
__global__ void greater(float *image, int pitch, int width) {
    float *row = image + (blockIdx.x * blockDim.x + threadIdx.x) * pitch;
    float sum = 0;
    for (int n = 0; n < (width < pitch ? pitch : width); n++)
        sum += row[n];
//             ^^^^^^ warn[WC101] "uns max(0, pitch, width) times per warp"
    row[0] = sum;
}

__global__ void by_a_flag(float *image, int pitch, int width, int deep) {
    float *row = image + (blockIdx.x * blockDim.x + threadIdx.x) * pitch;
    int most = deep > 3 ? pitch : width;
    float sum = 0;
    for (int n = 0; n < most; n++)
        sum += row[n];
//             ^^^^^^ warn[WC101] "uns max(0, pitch, width) times per warp"
    row[0] = sum;
}

// Not the lesser: the comparison is of other values, or of these the other way round.
__global__ void of_others(float *image, int pitch, int width) {
    float *row = image + (blockIdx.x * blockDim.x + threadIdx.x) * pitch;
    int most = 2 * width < pitch ? width : pitch;
    float sum = 0;
    for (int n = 0; n < most; n++)
        sum += row[n];
//             ^^^^^^ warn[WC101] "uns max(0, pitch, width) times per warp"
    row[0] = sum;
}

// Where lanes differ in it the lesser still takes its own away again: as many rounds as a piece is long.
__global__ void pieces(float *to, const float *from, int n) {
    int first = threadIdx.x * 24;
    int end = first + 24 < n ? first + 24 : n;
    for (int i = first; i < end; i++)
        to[i] = from[i];
//      ^^^^^ warn[WC101] "uns min(24, n) times per warp"
}
