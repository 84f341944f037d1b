// What is claimed of a thread: refuted ones are warnings, undecided ones hints, and what is proved is silent.

__global__ void straight(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ assert i >= 0 && i % 32 == threadIdx.x % 32
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC407]
    if (i < n) {
        a[i] = 3 * i;
        //@ assert a[i] == 3 * i && i < n
        //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC407]
        //@ assert i + 1 < n
        //  ^^^^^^^^^^^^^^^^ warn[WC407] "`i + 1 < n` does not hold with n = 1 in thread (0, 0, 0) of block (0, 0, 0)"
        //@ assert a[i + 1] == 0
        //  ^^^^^^^^^^^^^^^^^^^^ hint[WC407] "Not decided whether `a[i + 1] == 0` holds: `a[i + 1]` is loaded from memory"
    }
    //@ assert i < n
    //  ^^^^^^^^^^^^ warn[WC407] "`i < n` does not hold"
}

void run_straight(int *a, int n) {
    straight<<<(n + 255) / 256, 256>>>(a, n);
}

// For all rounds of a loop, and behind it.

__global__ void rounds(int *a, int n, int w) {
    int s = 0;
    for (int k = 0; k < w; ++k) {
        //@ assert 0 <= k && k < w && s == 2 * k
        //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC407]
        //@ assert k < 10
        //  ^^^^^^^^^^^^^ warn[WC407] "`k < 10` does not hold with n = 0, w = 11"
        s += 2;
        //@ assert s == 2 * k + 2
        //  ^^^^^^^^^^^^^^^^^^^^^ none[WC407]
    }
    //@ assert s == 2 * w
    //  ^^^^^^^^^^^^^^^^^ none[WC407]
    a[threadIdx.x] = s;
}

// In a function that is inlined, for each of its calls.

__device__ int half(int x) {
    //@ assert x % 2 == 0
    //  ^^^^^^^^^^^^^^^^^ warn[WC407] "`x % 2 == 0` does not hold"
    return x / 2;
}

__global__ void calls(int *a) {
    a[threadIdx.x] = half(2 * threadIdx.x) + half(threadIdx.x + 32);
}

void run_calls(int *a) {
    calls<<<1, 64>>>(a);
}

// What other threads may write at the same time is not known.

__global__ void shared_cell(int *a) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    s[(threadIdx.x + 1) % 64] = 7;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC401]
    //@ assert s[(threadIdx.x + 1) % 64] == 7
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC407] "another thread may write"
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x];
}

void run_shared_cell(int *a) {
    shared_cell<<<1, 64>>>(a);
}

// What is required of launches is assumed inside, and held against those in view.

//@ requires n % 32 == 0 && blockDim.x == 128
//           ^^^^^^^^^^^ warn[WC407] "A launch breaks `n % 32 == 0` with n = 100"
//                          ^^^^^^^^^^^^^^^^^ none[WC407]
__global__ void asks(int *a, int n) {
    //@ assert n != 100 && n % 16 == 0 && threadIdx.x < 128
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC407]
    a[threadIdx.x] = n;
}

void run_asks(int *a, int n) {
    asks<<<1, 128>>>(a, 100);
    asks<<<1, 128>>>(a, 96);
    asks<<<1, 128>>>(a, n);
}

//@ ensures n >= 0 && n == \old(n)
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC407]
//@ ensures n < 5
//  ^^^^^^^^^^^^^ warn[WC407] "`n < 5` does not hold with n = 5"
__global__ void leaves(int *a, int n) {
    if (threadIdx.x > n) return;
    n += 7;
    a[threadIdx.x] = n;
}
