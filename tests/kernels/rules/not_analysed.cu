// What is outside of the analysis is said once per reason; a missing include is not.
#include "of_a_library_that_is_not_here.h"

__global__ void fences(int *a) {
    asm volatile("multimem.red.release.sys;");
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900] "Not analysed"
    a[threadIdx.x] = 1;
}

__global__ void plain(int *a) {
    a[threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^ none
}

void run(int *a) {
    fences<<<1, 256>>>(a);
    plain<<<1, 256>>>(a);
}
