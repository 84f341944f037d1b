// What could wrap around has a value for each lane that nobody knows, and so have its extremes: their residues are no one number
// for a warp.  The trap: the cases of `max(..) % 128` taken for cases of all lanes together, so that 32 bytes in a row cost one sector.
// PARAM: --block 64

//! unknown none
__global__ void greatest_of_unsigned_sums(char *a, unsigned m) {
    int t = threadIdx.x;
    a[max(t + 20, (int)(t + 3u * m)) & 127] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=4 best=1 space=global rw=W
}

//! unknown none
__global__ void its_quotient(float *a, unsigned m) {
    int t = threadIdx.x;
    int least = min(t, (int)(t + m));
    a[(least & 255) >> 1] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^ access worst=16 space=global rw=W
}
