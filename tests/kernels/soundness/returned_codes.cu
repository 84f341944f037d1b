// What functions of the runtime return is not 0: it is unknown, and may differ from thread to thread.  The trap: a branch that is
// said never to be taken.
// PARAM: --block 32

__global__ void printed(int *a) {
    int n = printf("%d", 1);
    if (n == 1)
//      ^^^^^^ branch! kind=if divergence=possible
        a[32 * threadIdx.x] = 2;
//      ^^^^^^^^^^^^^^^^^^^ access! worst=32 space=global rw=W
//      ^^^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors"
}

__global__ void failed(int *a) {
    if (cudaGetLastError() != cudaSuccess)
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ branch! kind=if divergence=possible
        a[32 * threadIdx.x] = 2;
//      ^^^^^^^^^^^^^^^^^^^ access! worst=32 space=global rw=W
//      ^^^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors"
}

__global__ void freed(int *a, int *b) {
    int error = cudaFree(b);
    if (error)
//      ^^^^^ branch! kind=if divergence=possible
        a[32 * threadIdx.x] = 2;
//      ^^^^^^^^^^^^^^^^^^^ access! worst=32 space=global rw=W
}
