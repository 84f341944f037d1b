// The first of many parts of an array, beside a loop over the others: nobody knows how large the parts are, so nothing is certain to do more.

struct Cell {
    int parts[7];
};

__global__ void marks_inputs(Cell *cells, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        cells[i].parts[0] = 1;
//      ^^^^^^^^^^^^^^^^^ warn[WC101] "28 sectors where 4 would do (7x)"
}

__global__ void marks_nodes(Cell *cells, int from, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        cells[from + i].parts[1] = cells[i].parts[0];
//      ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "29 sectors where 4 would do (7.2x)"
}

void by_levels(Cell *cells, const int *end, int levels) {
    marks_inputs<<<(end[0] + 255) / 256, 256>>>(cells, end[0]);
    for (int i = 1; i < levels; i++)
        marks_nodes<<<(end[i] - end[i - 1] + 255) / 256, 256>>>(cells, end[i - 1], end[i] - end[i - 1]);
}

// A pyramid: its first level is the largest one.
__global__ void takes_image(Cell *cells, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        cells[i].parts[0] = 1;
//      ^^^^^^^^^^^^^^^^^ warn[WC101] "28 sectors where 4 would do (7x)"
}

__global__ void takes_level(Cell *cells, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        cells[i].parts[1] = 1;
//      ^^^^^^^^^^^^^^^^^ warn[WC101] "28 sectors where 4 would do (7x)"
}

void pyramid(Cell *cells, const int *size, int levels) {
    takes_image<<<(size[0] + 255) / 256, 256>>>(cells, size[0]);
    for (int i = 1; i < levels; i++)
        takes_level<<<(size[i] + 255) / 256, 256>>>(cells, size[i]);
}

// The others are parts of something else.
__global__ void fills_rows(Cell *cells, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        cells[i].parts[0] = 1;
//      ^^^^^^^^^^^^^^^^^ warn[WC101] "28 sectors where 4 would do (7x)"
}

void of_two_arrays(Cell *cells, Cell *rest, const int *end, int levels) {
    fills_rows<<<(end[0] + 255) / 256, 256>>>(cells, end[0]);
    for (int i = 1; i < levels; i++)
        marks_nodes<<<(end[i] - end[i - 1] + 255) / 256, 256>>>(rest, end[i - 1], end[i] - end[i - 1]);
}
