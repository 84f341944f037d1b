// Values that are loaded, kept in an array of the thread's own, and then used as places: memory says where lanes go, as if it had been asked directly.

__global__ void weights(float *out, const float *lut, const float *level, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float kept[6];
    for (int k = 0; k < 6; k++) kept[k] = level[k * n + i];
    float sum = 0;
    for (int k = 0; k < 6; k++) sum += lut[(int)(kept[k] * 4096.0f)];
//                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "if the values of `level[k * n + i]` scatter"
    out[i] = sum;
}

// From one array into another, and as integers.
__global__ void passed_on(float *out, const float *lut, const int *place, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, first[4], second[4];
    //                                             ^^^^^ info[WC103]
    for (int k = 0; k < m; k++) first[k] = place[k * n + i];
    for (int k = 0; k < m; k++) second[k] = first[k] + 1;
    float sum = 0;
    for (int k = 0; k < m; k++) sum += lut[second[k]];
//                                     ^^^^^^^^^^^^^^ hint[WC101] "if the values of `place[k * n + i]` scatter"
    out[i] = sum;
}

// What each lane reckons from its number comes from no memory: nobody knows where it leads.
__global__ void reckoned(float *out, const float *lut, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int kept[4];
    //  ^^^^ info[WC103]
    for (int k = 0; k < m; k++) kept[k] = i + k;
    float sum = 0;
    for (int k = 0; k < m; k++) sum += lut[kept[k]];
//                                     ^^^^^^^^^^^^ none[WC101]
    out[i] = sum;
}

void run(float *out, const float *lut, const float *level, const int *place, int n, int m) {
    weights<<<n / 256, 256>>>(out, lut, level, n);
    passed_on<<<n / 256, 256>>>(out, lut, place, n, m);
    reckoned<<<n / 256, 256>>>(out, lut, m);
}
