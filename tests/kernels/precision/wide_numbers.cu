// Arithmetic on eight bytes takes twice the instructions: what a split costs beside it is half of what it is beside four.
// PARAM: --block 256

// The odd lanes make a number in 32 bits; all of them reduce it in 64.
__global__ void wide(unsigned long long *out, const unsigned *in, unsigned long long m) {
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned x = in[i], y = 0;
    for (int k = 0; k < 2; k++) {
        if (i % 2 == 0) {
//          ^^^^^^^^^^ none[WC301]
            for (int j = 0; j < 16; j++)
                y = (y << 1) ^ (x + j);
        }
    }
    unsigned long long r = y;
    for (int k = 0; k < 64; k++) {
        r = r * x + m;
        r ^= r >> 7;
        r += r << 3;
    }
    out[i] = r;
}

// The same in 32 bits throughout.
__global__ void narrow(unsigned *out, const unsigned *in, unsigned m) {
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned x = in[i], y = 0;
    for (int k = 0; k < 2; k++) {
        if (i % 2 == 0) {
//          ^^^^^^^^^^ info[WC301]! "osts about"
            for (int j = 0; j < 16; j++)
                y = (y << 1) ^ (x + j);
        }
    }
    unsigned r = y;
    for (int k = 0; k < 64; k++) {
        r = r * x + m;
        r ^= r >> 7;
        r += r << 3;
    }
    out[i] = r;
}
