// Index arrays that helpers of the host fill, however long these are: their bodies are read as far as they may leave something in order.
#include <stdlib.h>
#include <numeric>

__global__ void pick(const int *__restrict__ chosen, const float *__restrict__ value, float *out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = value[chosen[i]];
//               ^^^^^^^^^^^^^^^^ none[WC101]
//               ^^^^^^^^^^^^^^^^ access! worst=32
}

__global__ void pick_mixed(const int *__restrict__ mixed, const float *__restrict__ value, float *out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = value[mixed[i]];
//               ^^^^^^^^^^^^^^^ hint[WC101] "if the values of `mixed[i]` scatter"
}

__global__ void pick_each(const int *__restrict__ each, const float *__restrict__ value, float *out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = value[each[i]];
//               ^^^^^^^^^^^^^^ none[WC101]
}

int choose(const float *weight, float least, float most, int *chosen, int n) {
    int count = 0, small = 0, large = 0;
    for (int i = 0; i < n; i++) {
        if (weight[i] < least) {
            small++;
            continue;
        }
        if (weight[i] > most) {
            large++;
            continue;
        }
        chosen[count++] = i;
    }
    if (small + large + count != n) exit(1);
    return count;
}

int mix(const float *weight, float least, float most, int *mixed, int n) {
    int count = 0, small = 0, large = 0;
    for (int i = 0; i < n; i++) {
        if (weight[i] < least) {
            small++;
            continue;
        }
        if (weight[i] > most) {
            large++;
            continue;
        }
        mixed[count++] = rand() % n;
    }
    if (small + large + count != n) exit(1);
    return count;
}

void run(const float *weight, const float *value, float *out, int n) {
    int *chosen, *mixed, *each;
    cudaMallocManaged(&chosen, n * sizeof(int));
    cudaMallocManaged(&mixed, n * sizeof(int));
    cudaMallocManaged(&each, n * sizeof(int));
    int count = choose(weight, 0.25f, 0.75f, chosen, n);
    pick<<<(count + 255) / 256, 256>>>(chosen, value, out, count);
    count = mix(weight, 0.25f, 0.75f, mixed, n);
    pick_mixed<<<(count + 255) / 256, 256>>>(mixed, value, out, count);
    std::iota(each, each + n, 0);
    pick_each<<<(n + 255) / 256, 256>>>(each, value, out, n);
}
