// Lanes that search one list look at one place first, at two then: not each of them is somewhere else in all rounds.
// PARAM: --block 256

__global__ void random_keys(int *place, const float *list, const float *key, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = key[i];
    int low = 0, high = n;
    while (low < high) {
//         ^^^^^^^^^^ none[WC302]
        int mid = (low + high) / 2;
        if (list[mid] < x)
//          ^^^^^^^^^ hint[WC101]! "about 16 sectors per request where the keys are random (up to 32), ideal 4 (4.0x); executed T8 times per warp; up to 95% of this kernel's sectors at n = 1024, T8 = 10"
            low = mid + 1;
        else
            high = mid;
    }
    place[i] = low;
}

// The loop asks for what is left between the ends, of records of 16 bytes: more sectors at the end of the search.
struct Entry {
    double from, to;
};

__device__ int entry_of(const Entry *list, double x, int n) {
    int low = 0, high = n, left = high - low;
    while (left > 1) {
        int mid = low + left / 2;
        if (list[mid].from > x)
//          ^^^^^^^^^^^^^^ hint[WC101]! "about 16 sectors per request where the keys are random (up to 32), ideal 8 (2.0x)"
            high = mid;
        else
            low = mid;
        left = high - low;
    }
    return low;
}

__global__ void by_length(int *place, const Entry *list, const double *key, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    place[i] = entry_of(list, key[i], n);
}

// A step that is halved and added where it may be.
__global__ void by_steps(int *place, const float *list, const float *key, int first, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
    float x = key[i];
    for (int step = first; step > 0; step >>= 1) {
        int next = min(at + step, n);
        if (list[next] <= x)
//          ^^^^^^^^^^ hint[WC101]! "about 18 sectors per request where the keys are random (up to 32), ideal 4 (4.5x)"
            at = next;
    }
    place[i] = at;
}

// What is found at such a place leads as many ways.
__global__ void through_an_order(int *place, const int *order, const float *value, const float *key, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = key[i];
    int low = 0, high = n;
    while (low < high) {
        int mid = (low + high) / 2;
        if (value[order[mid]] < x)
//          ^^^^^^^^^^^^^^^^^ hint[WC101]! "about 16 sectors per request where"
            low = mid + 1;
        else
            high = mid;
    }
    place[i] = low;
}

// Each lane in a list of its own: they are apart from the first round on.
__global__ void own_lists(int *place, const int *ends, const float *list, const float *key) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = key[i];
    int low = ends[i], high = ends[i + 1];
    while (low < high) {
        int mid = (low + high) / 2;
        if (list[mid] < x)
//          ^^^^^^^^^ hint[WC101]! "up to 32 sectors per request, ideal 4 (8.0x), if the values of `ends[i]` scatter"
            low = mid + 1;
        else
            high = mid;
    }
    place[i] = low;
}

// A search that goes on in the next round of a loop from where it was left begins nowhere together.
__global__ void goes_on(int *place, const float *list, const float *key, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
    for (int k = 0; k < rounds; k++) {
        float x = key[k * n + i];
        for (int step = n; step > 0; step >>= 1)
            if (list[at + step] <= x)
//              ^^^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors per request, ideal 4 (8.0x), if the values of `list[at + step]` scatter"
                at += step;
    }
    place[i] = at;
}

// Numbers of lanes in sums that rise: neighbours go the same way until what is left is as short as a warp is wide.
__global__ void rows_of_elements(int *row, const int *first, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int low = 0, high = rows;
    while (low < high) {
        int mid = (low + high) / 2;
        if (first[mid] <= i)
//          ^^^^^^^^^^ none[WC101]
            low = mid + 1;
        else
            high = mid;
    }
    row[i] = low;
}

// Numbers of lanes whose bits are mixed are as good as random ones.
__global__ void mixed_numbers(int *row, const int *first, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int key = (i * 7919) & 1023, low = 0, high = rows;
    while (low < high) {
        int mid = (low + high) / 2;
        if (first[mid] <= key)
//          ^^^^^^^^^^ hint[WC101]! "about 16 sectors per request"
            low = mid + 1;
        else
            high = mid;
    }
    row[i] = low;
}

__device__ int rank_in(const int *list, int x, int n) {
    int low = 0, high = n;
    while (low < high) {
        int mid = (low + high) / 2;
        if (list[mid] < x)
//          ^^^^^^^^^ none[WC101]
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// Each list is searched for the elements of the other: who searches a list knows that it is sorted.
__global__ void merged_by_ranks(int *out, const int *one, const int *other, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = one[i], y = other[i];
    int at = rank_in(other, x, n), behind = rank_in(one, y, n);
    out[i] = at;
    out[n + i] = behind;
}

// Words of a table of 128: the first rounds are in few banks.
__global__ void in_shared_memory(int *place, const int *list, const int *key) {
    __shared__ int table[128];
    if (threadIdx.x < 128)
        table[threadIdx.x] = list[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 64; k++) {
        int x = key[256 * k + i], low = 0;
        for (int step = 64; step > 0; step /= 2)
            if (table[low + step - 1] < x)
//              ^^^^^^^^^^^^^^^^^^^^^ hint[WC201]! "about 3.1 wavefronts per request where the keys are random (up to 4), ideal 1 (3.1x)"
                low += step;
        place[256 * k + i] = low;
    }
}

// So would they be for the elements of the table itself, but neighbours look at one word, or at words side by side.
__global__ void merged_in_shared_memory(int *place, const int *from) {
    __shared__ int one[256], other[256];
    one[threadIdx.x] = from[threadIdx.x];
    other[threadIdx.x] = from[threadIdx.x + 256];
    __syncthreads();
    int i = threadIdx.x, at = 0, behind = 0;
    for (int step = 128; step > 0; step /= 2) {
        if (other[at + step - 1] < one[i])
//          ^^^^^^^^^^^^^^^^^^^^ none[WC201]
            at += step;
        if (one[behind + step - 1] <= other[i])
//          ^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
            behind += step;
    }
    place[i] = at;
    place[i + 256] = behind;
}

// What they found goes on from lane to lane: two lists of 256 words, merged, lie in 64 words for each warp.
__global__ void stored_by_ranks(int *out, const int *from) {
    __shared__ int one[256], other[256], both[512];
    one[threadIdx.x] = from[threadIdx.x];
    other[threadIdx.x] = from[threadIdx.x + 256];
    __syncthreads();
    int i = threadIdx.x, x = one[i], at = 0;
    for (int step = 128; step > 0; step /= 2)
        if (other[at + step - 1] < x)
            at += step;
    int y = other[i], behind = 0;
    for (int step = 128; step > 0; step /= 2)
        if (one[behind + step - 1] <= y)
            behind += step;
    both[i + at] = x;
//  ^^^^^^^^^^^^ none[WC201]
    both[i + behind] = y;
//  ^^^^^^^^^^^^^^^^ none[WC201]
    __syncthreads();
    out[i] = both[i];
    out[i + 256] = both[i + 256];
}

// In global memory these are sectors of which others use the rest.
__global__ void merged_by_numbers(float *out, const int *one, const int *other, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = rank_in(other, one[i], n), behind = rank_in(one, other[i], n);
    for (int k = 0; k < 100; k++) {
        out[2 * n * k + i + at] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "about 9 sectors per request where the keys are in order (up to 32), ideal 4 (2.2x)"
        out[2 * n * k + i + behind] = 0.0f;
    }
}

// What lanes with random keys found is anywhere.
__global__ void counted(float *out, const float *list, const float *key, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = key[i];
    int low = 0, high = n;
    while (low < high) {
        int mid = (low + high) / 2;
        if (list[mid] < x)
            low = mid + 1;
        else
            high = mid;
    }
    for (int k = 0; k < 100; k++)
        out[n * k + low] = x;
//      ^^^^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors per request, ideal 4 (8.0x), if the values of `list[mid]` scatter"
}

// Diagonals of a merge, four elements apart: those of a warp cross the path within two words of each bank.
__global__ void path_of_4(int *out, const int *from) {
    __shared__ int both[1024];
    for (int k = threadIdx.x; k < 1024; k += 256)
        both[k] = from[k];
    __syncthreads();
    int diagonal = 4 * threadIdx.x, sum = 0;
    int low = max(0, diagonal - 512), high = min(diagonal, 512);
    while (low < high) {
        int mid = (low + high) / 2;
        if (both[mid] <= both[512 + diagonal - 1 - mid])
//          ^^^^^^^^^ none[WC201]
            low = mid + 1;
        else
            high = mid;
    }
    int i = low, j = 512 + diagonal - i, x = both[i], y = both[j];
    for (int k = 0; k < 4; k++) {
        if (x <= y) {
            sum += x;
            i++;
            x = both[i];
//              ^^^^^^^ none[WC201]
        } else {
            sum += y;
            j++;
            y = both[j];
        }
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Twelve elements apart they cross it within six.
__global__ void path_of_12(int *out, const int *from) {
    __shared__ int both[3072];
    for (int k = threadIdx.x; k < 3072; k += 256)
        both[k] = from[k];
    __syncthreads();
    int diagonal = 12 * threadIdx.x, sum = 0;
    int low = max(0, diagonal - 1536), high = min(diagonal, 1536);
    while (low < high) {
        int mid = (low + high) / 2;
        if (both[mid] <= both[1536 + diagonal - 1 - mid])
//          ^^^^^^^^^ info[WC201] "wavefronts per request where lanes go on about as far as each other (up to 32), ideal 1"
            low = mid + 1;
        else
            high = mid;
    }
    int i = low, j = 1536 + diagonal - i, x = both[i], y = both[j];
    for (int k = 0; k < 12; k++) {
        if (x <= y) {
            sum += x;
            i++;
            x = both[i];
//              ^^^^^^^ info[WC201] "about 3.0 wavefronts per request where lanes go on about as far as each other (up to 32), ideal 1 (3.0x)"
        } else {
            sum += y;
            j++;
            y = both[j];
//              ^^^^^^^ info[WC201] "about 3.0 wavefronts per request"
        }
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Steps of a size lead anywhere: to other rows.
__global__ void down_columns(float *out, const float *in, const float *limit, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
    for (int k = 0; k < n; k++)
        if (in[at] < limit[k * n + i])
//          ^^^^^^ hint[WC101]! "up to 32 sectors per request, ideal 4 (8.0x)"
            at += n;
    out[i] = at;
}
