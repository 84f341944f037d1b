// Loads behind a loop, from a pointer that its rounds have moved.

// All members of the record use what the last round left.
//@ launch block=(256)
__global__ void last_of_each(const unsigned *__restrict__ counts, const unsigned *__restrict__ words, unsigned *out) {
    int t = blockIdx.x * 256 + threadIdx.x;
    unsigned left = counts[t] % 61;
    const uint3 *at = (const uint3 *)(words + t * 16);
    unsigned a = 1;
    uint3 w;
    while (left > 12) {
//         ^^^^^^^^^ hint[WC302] "lanes of a warp may leave this loop at different iterations (decided by data: `counts[t]`)"
        w = *at++;
//          ^^^^^ warn[WC101]! "32 sectors per request, ideal 4 (8.0x); each lane's next rounds use the same sectors, if a cache holds them"
        a += w.x ^ w.y ^ w.z;
        left -= 12;
    }
    w = *at;
//      ^^^ info[WC101]! "up to 32 sectors per request, ideal 4 (8.0x); each lane's rounds of the loop before use the same sectors, if a cache holds them; executed once per warp"
    out[t] = a * w.x + w.y + w.z;
}

// Where memory says, in the same row: no round was there.
//@ launch block=(256)
__global__ void elsewhere(const unsigned *__restrict__ counts, const unsigned *__restrict__ words, unsigned *out) {
    int t = blockIdx.x * 256 + threadIdx.x;
    unsigned left = counts[t] % 61;
    const uint3 *at = (const uint3 *)(words + t * 16);
    unsigned a = 1;
    uint3 w;
    while (left > 12) {
//         ^^^^^^^^^ hint[WC302] "lanes of a warp may leave this loop at different iterations (decided by data: `counts[t]`)"
        w = *at++;
//          ^^^^^ warn[WC101]! "32 sectors per request, ideal 4 (8.0x); each lane's next rounds use the same sectors, if a cache holds them"
        a += w.x ^ w.y ^ w.z;
        left -= 12;
    }
    w = ((const uint3 *)(words + t * 16))[counts[t + 1]];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "up to 32 sectors per request, ideal 4 (8.0x); executed once per warp"
    out[t] = a * w.x + w.y + w.z;
}
