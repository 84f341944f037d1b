// What no total of sectors knows, a share says that it is a share without: fetches through textures, algorithms of a library.

// Rows of each lane's own, once, beside chains of fetches.
//@ launch block=(128)
__global__ void follows_links(int *out, const int *rows, cudaTextureObject_t links) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = rows[64 * i];
//           ^^^^^^^^^^^^ warn[WC101]! "of this kernel's global traffic without texture fetches"
    for (int k = 0; k < 16; k++) at = tex1Dfetch<int>(links, at);
    out[i] = at;
}

// Places in rows of each lane's own, which are sorted behind it.
//@ launch block=(128)
__global__ void sorts_rows(int *rows, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    rows[64 * i] = 0;
//  ^^^^^^^^^^^^ warn[WC101]! "of this kernel's global traffic without `thrust::sort`"
    thrust::sort(thrust::seq, rows + 64 * i, rows + 64 * i + n);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900] "'thrust::sort': algorithm of a library"
}

// Both, and a block move; of three names two are enough.
//@ launch block=(128)
__global__ void moves_rows(int *rows, int *more, const int *order, cudaTextureObject_t links, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    rows[64 * i] = tex1Dfetch<int>(links, i);
//  ^^^^^^^^^^^^ warn[WC101]! "traffic without texture fetches, `cudaMemcpyAsync` and others"
    cudaMemcpyAsync(more + 64 * i, rows + 64 * i, n);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900] "'cudaMemcpyAsync' in device code"
    std::sort(more + 64 * i, more + 64 * i + n);
    std::reverse(more + 64 * i, more + 64 * i + n);
}

// Nothing is left out.
//@ launch block=(128)
__global__ void writes_rows(int *rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    rows[64 * i] = 0;
//  ^^^^^^^^^^^^ warn[WC101]! "100% of this kernel's global traffic"
}
