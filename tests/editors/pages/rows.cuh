__device__ float other_row(const float *a, int n, int i) {
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        sum += a[i * n + k];
    }
    return sum;
}
