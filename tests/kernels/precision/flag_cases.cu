// A flag picks the layout, and every call that leads to a launch says which one it is.

__device__ float4 four(const float *a, int i) { return make_float4(a[i], a[i + 1], a[i + 2], a[i + 3]); }

__global__ void always_turned(const float *a, float *x, int size, int systems, const bool turned) {
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int step = turned ? systems : 4;
    int at = turned ? i : i * size;
    float sum = 0.0f;
    for (int k = 0; k < size; k++) {
        float4 v = four(a, at);
        sum += v.x + v.y * v.z * v.w;
        at += step;
    }
    x[i / 4] = sum;
}

// Here the host passes both.
__global__ void turned_or_not(const float *b, float *x, int size, int systems, const bool turned) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = turned ? systems : 1;
    int at = turned ? i : i * size;
    float sum = 0.0f;
    for (int k = 0; k < size; k++) {
        sum += b[at];
//             ^^^^^ warn[WC101]! "up to 32 sectors per request, ideal 4 (8.0x)"
        at += step;
    }
    x[i] = sum;
}

// One value, but the dear one: the message speaks of it, and not of what might be.
__global__ void never_turned(const float *c, float *x, int size, int systems, bool turned) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = turned ? i : i * 128;
    float sum = 0.0f;
    for (int k = 0; k < size; k++) sum += c[at + k * systems];
//                                        ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors per request, ideal 4 (8.0x); executed size times per warp; 100% of this kernel's sectors at size = 1024, turned = 0"
    x[i] = sum;
}

bool fourfold = false;

void run(const float *a, float *x, int size, int systems, bool turned) {
    if (fourfold)
        always_turned<<<systems / 256, 64>>>(a, x, size, systems, turned);
    else
        turned_or_not<<<systems / 64, 64>>>(a, x, size, systems, turned);
    never_turned<<<systems / 64, 64>>>(a, x, size, systems, false);
}

int main(int argc, char **argv) {
    if (argc > 1) fourfold = true;
    float *a = nullptr, *x = nullptr;
    int size = atoi(argv[2]), systems = atoi(argv[3]);
    if (!fourfold) run(a, x, size, systems, false);
    run(a, x, size, systems, true);
}

// Set behind the test of the caller: which calls lead to the launch is open, and so is what it costs.
__global__ void turned_at_last(const float *d, float *x, int size, int systems, bool turned) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = turned ? i : i * size;
    float sum = 0.0f;
    for (int k = 0; k < size; k++) sum += d[at + k * systems];
//                                        ^^^^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors per request, ideal 4 (8.0x)"
    x[i] = sum;
}

bool ready = false;

void once_ready(const float *d, float *x, int size, int systems, bool turned) {
    if (!ready) ready = true;
    if (ready) turned_at_last<<<systems / 64, 64>>>(d, x, size, systems, turned);
}

void either(const float *d, float *x, int size, int systems) {
    if (ready) once_ready(d, x, size, systems, true);
    else once_ready(d, x, size, systems, false);
}
