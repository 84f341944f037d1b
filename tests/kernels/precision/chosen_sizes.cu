// A launch in a loop that passes the elements of an array of constants: its sizes are none but these.

__global__ void sums_of_rows(const float *x, float *out, int n, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int k = 0; k < width; k++)
            sum += x[i * width + k];
//                 ^^^^^^^^^^^^^^^^ warn[WC101]! "at width = 24"
        out[i] = sum;
    }
}

// Of elements of file scope.
__global__ void sums_of_wide_rows(const float *x, float *out, int n, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int k = 0; k < width; k++)
            sum += x[i * width + k];
//                 ^^^^^^^^^^^^^^^^ warn[WC101]! "at width = 300"
        out[i] = sum;
    }
}

// What an element becomes once it is read from the command line, or doubled, nobody knows.
__global__ void sums_of_any(const float *x, float *out, int n, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int k = 0; k < width; k++)
            sum += x[i * width + k];
//                 ^^^^^^^^^^^^^^^^ warn[WC101]! "at width = 1024"
        out[i] = sum;
    }
}

__global__ void sums_of_doubled(const float *x, float *out, int n, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int k = 0; k < width; k++)
            sum += x[i * width + k];
//                 ^^^^^^^^^^^^^^^^ warn[WC101]! "at width = 1024"
        out[i] = sum;
    }
}

int atoi(const char *text);

const int WIDE[3] = {100, 200, 300};

void run(const float *x, float *out, int n, char **arguments) {
    const int widths[] = {6, 12, 24};
    int others[] = {6, 12, 24};
    others[1] = atoi(arguments[1]);
    for (int w = 0; w < 3; w++) {
        const int width = widths[w];
        sums_of_rows<<<(n + 255) / 256, 256>>>(x, out, n, width);
        sums_of_wide_rows<<<(n + 255) / 256, 256>>>(x, out, n, WIDE[w]);
        sums_of_any<<<(n + 255) / 256, 256>>>(x, out, n, others[w]);
        int doubled = widths[w];
        doubled *= 2;
        sums_of_doubled<<<(n + 255) / 256, 256>>>(x, out, n, doubled);
    }
}
