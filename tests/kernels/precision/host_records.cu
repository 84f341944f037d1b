// Sizes that the host keeps in members of records: findings are told at what these hold.

struct Extents {
    int rows, columns;
};

struct Plan {
    Extents whole, part;
    int rounds;
};

// Two of the rows of four stand in a warp, so eight lanes store, and not all of them.
__global__ void corner(float *out, int rows, int columns, int pitch) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x < columns && y < rows)
        for (int i = 0; i < 100; i++) out[(y * columns + x) * pitch + i * 2000] = i;
//                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "8 sectors where 1 would do (8x)"
}

// A record that is handed out may hold anything.
__global__ void unknown(float *out, int rows, int columns, int pitch) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x < columns && y < rows)
        for (int i = 0; i < 100; i++) out[(y * columns + x) * pitch + i * 2000] = i;
//                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors"
}

void read(Extents *extents);

int main(int argc, char **argv) {
    float *out;
    Plan plan;
    Extents small;
    small.rows = 4;
    small.columns = small.rows;
    plan.whole = small;
    plan.part = small;
    read(&plan.whole);
    for (int i = 0; i < argc; i++) {
        Extents part = plan.part, whole = plan.whole;
        corner<<<64, dim3(16, 16)>>>(out, part.rows, part.columns, 64);
        unknown<<<64, dim3(16, 16)>>>(out, whole.rows, whole.columns, 64);
    }
}
