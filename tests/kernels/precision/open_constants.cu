// Constants of a template that nobody gives: how often an access is made says nothing beside others that are left out.

// What `fetch` does, and that it fills the other half of the tile, is in a file that is not here.
template <int LENGTH>
__global__ void parts(const float *in, float *out) {
    __shared__ float tile[4096];
    fetch(tile, in);
//  ^^^^^^^^^^^^^^^ info[WC900]
    float4 own[LENGTH / 4];
    for (int i = 0; i < LENGTH / 4; i++)
        own[i] = ((const float4 *)(tile + threadIdx.x * LENGTH))[i];
//               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
    float sum = 0;
    for (int i = 0; i < LENGTH / 4; i++)
        sum += own[i].x;
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// What costs that much for any length stays.
template <int LENGTH>
__global__ void columns(const float *in, float *out) {
    __shared__ float tile[4096];
    fetch(tile, in);
    float sum = 0;
    for (int i = 0; i < LENGTH; i++)
        sum += tile[threadIdx.x * 32 + i];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "32-way"
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

template <int LENGTH>
void host(const float *in, float *out) {
    parts<LENGTH><<<64, 256>>>(in, out);
    columns<LENGTH><<<64, 128>>>(in, out);
}
