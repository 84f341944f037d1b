// A parameter whose class has one member whose size is not known: the other members are numbers and pointers all the same.

#include "of_a_library_that_is_not_here.h"

struct Divisor {
    int table[absent::entries()];
};

struct Params {
    float *out;
    int pitch;
    Divisor divisor;
    const int *order;
};

//! block (64)
//! unknown none
__global__ void known_members(Params const params) {
    params.out[8 * threadIdx.x] = params.pitch;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=32 ideal=4 exact=true
    params.out[params.pitch * blockIdx.x + threadIdx.x] = 1;
    params.out[params.order[threadIdx.x]] = 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `params.order[threadIdx.x]` scatter"
//             ^^^^^^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=4 ideal=4 exact=true
}

__device__ void change(Params &params) { params.pitch = threadIdx.x; }

// What may be changed is not known.
//! block (64)
//! unknown "the members of `Params` are not known"
__global__ void changed(Params params) {
    change(params);
    params.out[params.pitch] = 1;
//  ^^^^^^^^^^ info[WC900] "Not analysed: the function 'absent::entries' is not declared here"
}

void host(Params const &params) {
    known_members<<<4, 64>>>(params);
    changed<<<4, 64>>>(params);
}

// Text that is not read may change it, too.
//! block (64)
//! unknown "the members of `Params` are not known"
__global__ void not_read(Params params) {
    goto end;
//  ^^^^^^^^^ info[WC900] "Not analysed: the function 'absent::entries' is not declared here"
    params.out[params.pitch] = 1;
end:
    params.out[0] = 2;
}

void launch(Params const &params) { not_read<<<4, 64>>>(params); }
