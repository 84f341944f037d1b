// What copies of whole tiles are described by (cuda.h of the CUDA toolkit 13).
struct alignas(128) CUtensorMap { unsigned long long opaque[16]; };
typedef CUtensorMap CUtensorMap_st;
