// What is launched once, beside the loop of the host that launches the rest, is no warning where that certainly does 64 times as much.

struct Pair { int first, second; };

__global__ void prepare(Pair *pairs, const int *weights, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pairs[i].second = weights[i];
//      ^^^^^^^^^^^^^^^ info[WC101] "`pull` does 1000 times as much"
}

__global__ void push(Pair *pairs, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pairs[i].first = n;
//      ^^^^^^^^^^^^^^ warn[WC101]
}

__global__ void pull(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += 1;
}

void solve(Pair *pairs, int *weights, int n, int steps) {
    int blocks = (n + 255) / 256;
    prepare<<<blocks, 256>>>(pairs, weights, n);
    for (int i = 0; i < steps; i++) {
        push<<<blocks, 256>>>(pairs, n);
        pull<<<blocks, 256>>>(weights, n);
    }
}

// Called before the loop of another function, which calls what launches the rest.
__global__ void prepare_elsewhere(Pair *pairs, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pairs[i].second = 0;
//      ^^^^^^^^^^^^^^^ info[WC101] "`step_elsewhere` does 64 times as much"
}

__global__ void step_elsewhere(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += 2;
}

void set_up(Pair *pairs, int n) {
    do {
        prepare_elsewhere<<<(n + 255) / 256, 256>>>(pairs, n);
    } while (0);
}

void advance(int *out, int n) { step_elsewhere<<<(n + 255) / 256, 256>>>(out, n); }

void apart(Pair *pairs, int *out, int n, int steps) {
    set_up(pairs, n);
    while (steps-- > 0)
        advance(out, n);
}

// Again in the loop, too.
__global__ void again(Pair *pairs, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pairs[i].second = 0;
//      ^^^^^^^^^^^^^^^ warn[WC101]
}

void both(Pair *pairs, int *out, int n, int steps) {
    again<<<(n + 255) / 256, 256>>>(pairs, n);
    for (int i = 0; i < steps; i++) {
        pull<<<(n + 255) / 256, 256>>>(out, n);
        again<<<(n + 255) / 256, 256>>>(pairs, n);
    }
}

// Beside a loop of few rounds.
__global__ void beside_few(Pair *pairs, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pairs[i].second = 0;
//      ^^^^^^^^^^^^^^^ warn[WC101]
}

void few(Pair *pairs, int *out, int n) {
    beside_few<<<(n + 255) / 256, 256>>>(pairs, n);
    for (int i = 0; i < 3; i++)
        pull<<<(n + 255) / 256, 256>>>(out, n);
}

// What the loop launches is a single block.
__global__ void beside_small(Pair *pairs, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pairs[i].second = 0;
//      ^^^^^^^^^^^^^^^ warn[WC101]
}

__global__ void small(int *out) { out[threadIdx.x] += 1; }

void smaller(Pair *pairs, int *out, int n, int steps) {
    beside_small<<<(n + 255) / 256, 256>>>(pairs, n);
    for (int i = 0; i < steps; i++)
        small<<<1, 256>>>(out);
}

// Launched n times in each round, another kernel does n times as much as both.
__global__ void measured(Pair *pairs, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pairs[i].second = 0;
//      ^^^^^^^^^^^^^^^ info[WC101] "`step_elsewhere` does 2000 times as much"
}

__global__ void begins(Pair *pairs, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pairs[i].second = 0;
//      ^^^^^^^^^^^^^^^ info[WC101] "`step_elsewhere` does 2000 times as much"
}

void run(Pair *pairs, int *out, int n) {
    begins<<<(n + 255) / 256, 256>>>(pairs, n);
    for (int i = 0; i < n; i++)
        step_elsewhere<<<(n + 255) / 256, 256>>>(out, n);
}

void measure(Pair *pairs, int *out, int n, int repeat) {
    for (int i = 0; i < repeat; i++)
        measured<<<(n + 255) / 256, 256>>>(pairs, n);
    for (int i = 0; i < repeat; i++)
        run(pairs, out, n);
}

// Beside a loop of one kernel as well.
__global__ void first_alone(Pair *pairs, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pairs[i].second = 0;
//      ^^^^^^^^^^^^^^^ info[WC101] "`pull` does 2000 times as much"
}

__global__ void second_alone(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += 3;
}

void alone(Pair *pairs, int *out, int n, int steps) {
    first_alone<<<(n + 255) / 256, 256>>>(pairs, n);
    second_alone<<<(n + 255) / 256, 256>>>(out, n);
    for (int i = 0; i < steps; i++)
        pull<<<(n + 255) / 256, 256>>>(out, n);
}

// What is checked behind the loop of a function that is called.
__global__ void compared(Pair *pairs, const int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pairs[i].second = out[i];
//      ^^^^^^^^^^^^^^^ info[WC101] "`pull` does 100 times as much"
}

void timed(int *out, int n, int repeat) {
    for (int i = 0; i < repeat; i++)
        pull<<<(n + 255) / 256, 256>>>(out, n);
}

void tested(Pair *pairs, int *out, int n) {
    timed(out, n, 100);
    compared<<<(n + 255) / 256, 256>>>(pairs, out, n);
}

// Once in each round of a loop, beside rounds of which nobody knows how many there are and what each takes: `k` may be small.
__global__ void turned(float *out, const float *in, int m, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        for (int i = 0; i < m; i++)
            out[i * n + t] = in[t * m + i];
//                           ^^^^^^^^^^^^^ warn[WC101]
}

__device__ float apart_by(const float *in, const float *centre, int t, int m, int n) {
    float sum = 0.0f;
    for (int i = 0; i < m; i++)
        sum += (in[i * n + t] - centre[i]) * (in[i * n + t] - centre[i]);
    return sum;
}

__global__ void nearest(int *which, const float *in, const float *centres, int k, int m, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    float least = 1e30f;
    if (t < n)
        for (int c = 0; c < k; c++) {
            float d = apart_by(in, centres + c * m, t, m, n);
            if (d < least) { least = d; best = c; }
        }
    if (t < n) which[t] = best;
}

int moved(int *which, int n);

void cluster(float *swapped, float *in, float *centres, int *which, int most, int m, int n) {
    for (int k = 2; k <= most; k++) {
        turned<<<(n + 255) / 256, 256>>>(swapped, in, m, n);
        do {
            nearest<<<(n + 255) / 256, 256>>>(which, swapped, centres, k, m, n);
        } while (moved(which, n));
    }
}

// Threads that go through n things each do as much as n rounds of the others.
__global__ void forces(float *force, const Pair *pairs, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (t < n)
        for (int i = 0; i < n; i++)
            sum += pairs[(t + i) % n].first;
    if (t < n)
        force[32 * t] = sum;
//      ^^^^^^^^^^^^^ none[WC101]
    for (int i = 0; t < n && i < n; i++)
        force[t * n + i] *= 2.0f;
//      ^^^^^^^^^^^^^^^^ warn[WC101]
}

__global__ void relax(float *force, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        force[t] *= 0.5f;
}

void forces_in_steps(float *force, Pair *pairs, int n, int steps, int rounds) {
    for (int i = 0; i < steps; i++) {
        forces<<<(n + 255) / 256, 256>>>(force, pairs, n);
        for (int k = 0; k < rounds; k++)
            relax<<<(n + 255) / 256, 256>>>(force, n);
    }
}

// How often a loop goes round is in memory: it may do more than anything beside it.
__global__ void begun(Pair *pairs, const int *in, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; t < n && i < in[0]; i++)
        pairs[i * n + t].second = 0;
//      ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
}

__global__ void begun_alone(Pair *pairs, const int *in, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; t < n && i < in[0]; i++)
        pairs[i * n + t].second = 0;
//      ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
}

__global__ void gone_on(int *out, int m, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; t < n && i < m; i++)
        out[i * n + t] += 1;
}

void begin(Pair *pairs, int *in, int n) { begun<<<(n + 255) / 256, 256>>>(pairs, in, n); }

void go_on(int *out, int m, int n) { gone_on<<<(n + 255) / 256, 256>>>(out, m, n); }

void begin_and_go_on(Pair *pairs, int *out, int m, int n, int repeat) {
    for (int k = 0; k < repeat; k++) {
        begin(pairs, out, n);
        while (moved(out, n))
            go_on(out, m, n);
    }
    for (int k = 0; k < repeat; k++)
        begun_alone<<<(n + 255) / 256, 256>>>(pairs, out, n);
}

// What does little in its turn is information, as the inner loop has as many rounds as a size says.
__global__ void cleared_in_turn(Pair *pairs, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        pairs[t].second = 0;
//      ^^^^^^^^^^^^^^^ info[WC101] "`relax` does 2000 times as much"
}

void cleared_and_relaxed(Pair *pairs, float *force, int n, int steps, int rounds) {
    for (int i = 0; i < steps; i++) {
        cleared_in_turn<<<(n + 255) / 256, 256>>>(pairs, n);
        for (int k = 0; k < rounds; k++)
            relax<<<(n + 255) / 256, 256>>>(force, n);
    }
}

// So is what does it some times.
__global__ void sums_in_turn(const Pair *pairs, float *force, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 16; k++)
        if (t + k * n < 16 * n) sum += pairs[t + k * n].second;
//                                     ^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "`relax` does 120 times as much"
    force[t] = sum;
}

void summed_and_relaxed(Pair *pairs, float *force, int n, int steps, int rounds) {
    for (int i = 0; i < steps; i++) {
        sums_in_turn<<<n / 256, 256>>>(pairs, force, n);
        for (int k = 0; k < rounds; k++)
            relax<<<(n + 255) / 256, 256>>>(force, n);
    }
}
