__global__ void k(int *p, int n) { L: switch (n) { do { case 0: for (;;) { default: if (p[n]) goto L; else break; } while (threadIdx.x --> 0); } while (n); } }
