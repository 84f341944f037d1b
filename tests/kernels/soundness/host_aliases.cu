// A variable of the host that a reference or a pointer may change, or an earlier call, is not what was assigned to it last.  The trap:
// a block of 64 threads; what is not known is the default, 256.

//! block (256)
__global__ void by_reference(float *a) { a[threadIdx.x] = 1; }

void launch_by_reference(float *a) {
    int threads = 64;
    int &other = threads;
    other = 128;
    by_reference<<<1, threads>>>(a);
}

//! block (256)
__global__ void by_pointer(float *a) { a[threadIdx.x] = 1; }

void launch_by_pointer(float *a) {
    int threads = 32;
    int *other = &threads;
    threads = 64;
    *other = 128;
    by_pointer<<<1, threads>>>(a);
}

//! block (256)
__global__ void by_earlier_calls(float *a) { a[threadIdx.x] = 1; }

void launch_by_earlier_calls(float *a) {
    static int threads = 64;
    by_earlier_calls<<<1, threads>>>(a);
    threads = 128;
}
