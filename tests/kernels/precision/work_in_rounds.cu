// What a register keeps, or a request beside it brings, is asked for once; what is done with it is done in each round, and is most of the work here.
__global__ void rounds_over_a_tile(uchar4 *out, const uchar4 *in, int w) {
    __shared__ uchar4 tile[4][48];
    int x = blockIdx.x * 16 + threadIdx.x, at = (blockIdx.y * 4 + threadIdx.y) * w + x;
    tile[threadIdx.y][threadIdx.x + 1] = in[at];
    if (threadIdx.x == 0)
//      ^^^^^^^^^^^^^^^^ none[WC301]
        tile[threadIdx.y][0] = blockIdx.x > 0 ? in[at - 1] : make_uchar4(0, 0, 0, 0);
    else if (threadIdx.x == 15)
        tile[threadIdx.y][17] = x + 1 < w ? in[at + 1] : make_uchar4(0, 0, 0, 0);
    __syncthreads();
    float mid[3] = {128, 128, 128};
    for (int k = 0; k < 8; k++) {
        int above[3] = {0, 0, 0};
        above[0] += mid[0] < tile[threadIdx.y][threadIdx.x + 0].x;
        above[1] += mid[1] < tile[threadIdx.y][threadIdx.x + 0].y;
        above[2] += mid[2] < tile[threadIdx.y][threadIdx.x + 0].z;
        above[0] += mid[0] < tile[threadIdx.y][threadIdx.x + 1].x;
        above[1] += mid[1] < tile[threadIdx.y][threadIdx.x + 1].y;
        above[2] += mid[2] < tile[threadIdx.y][threadIdx.x + 1].z;
        above[0] += mid[0] < tile[threadIdx.y][threadIdx.x + 2].x;
        above[1] += mid[1] < tile[threadIdx.y][threadIdx.x + 2].y;
        above[2] += mid[2] < tile[threadIdx.y][threadIdx.x + 2].z;
        mid[0] += above[0] > 1 ? 0.5f : -0.5f;
        mid[1] += above[1] > 1 ? 0.5f : -0.5f;
        mid[2] += above[2] > 1 ? 0.5f : -0.5f;
    }
    out[at] = make_uchar4((int)mid[0], (int)mid[1], (int)mid[2], 0);
}

void tiles(uchar4 *out, const uchar4 *in, int w, int h) { rounds_over_a_tile<<<dim3(w / 16, h / 4), dim3(16, 4)>>>(out, in, w); }
