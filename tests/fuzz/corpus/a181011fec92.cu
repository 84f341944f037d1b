#define A B B
#define B C C
#define C D D
#define D A A
__global__ void k(float *p) { p[A] = A(B)(C); }
