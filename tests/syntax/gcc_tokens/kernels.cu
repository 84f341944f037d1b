#define TILE 16
#define AT(p, i, j) (p)[(i) * pitch + (j)]
#define LOOP(i, n) for (int i = 0; i < (n); ++i)
#define CHECK(call) do { auto status = (call); if (status) fail(__FILE__, __LINE__, #call); } while (0)
#define KERNEL extern "C" __global__ void
#define BEGIN {
#define UNROLLED(n) _Pragma("unroll")
/* one
   comment */ #define AFTER_COMMENT 1
  /* before */ # /* between */ define SPACED(x) <x>
KERNEL __launch_bounds__(TILE * TILE) tile_sum(float *out, const float *in, int pitch) BEGIN
    __shared__ float tile[TILE][TILE + 1];
    LOOP(k, TILE) { tile[threadIdx.y][k] = AT(in, threadIdx.y, k); }
    #pragma unroll
    LOOP(k, TILE) AT(out, k, threadIdx.x) += tile[k][threadIdx.x] SPACED(1);
    UNROLLED(4)
    for (;;) { break; }
}
int main() {
    tile_sum<<<dim3(1, 1), dim3(TILE, TILE)>>>(a, b, 16);
    CHECK(cudaDeviceSynchronize());
    auto s = "a\
b" u8"x" R"delim(
#define INSIDE 1
)" )delim" + L'\'' + 1'000'000ull + .5e-3f + 0x1p-3;
    int spliced_na\
me = TI\
LE; // a comment that goes \
    on
    y->*z...; a ::b <: 1 :> %: # ## @ ` \ $dollar;
}
