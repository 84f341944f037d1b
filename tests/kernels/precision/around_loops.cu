// Members of a record that are loaded before a loop and behind it use its sectors together, though a cache may have lost them by then.
// PARAM: --block 128

struct Walker {
    int start, seed, goal;
    short turns, kind;
    int energy;
};

// What stands in the loop below a condition that data decides for each lane is told along, and adds no rounds that nobody knows.
__global__ void walk(const Walker *walkers, const int *next, int *steps, int *paths, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    int at = walkers[t].start, left = walkers[t].turns, goal = walkers[t].goal;
//           ^^^^^^^^^^^^^^^^ info[WC101] "20 sectors where 4 would do (5x). Neighbouring loads read the rest of these sectors"
    while (at > goal)
        at -= next[at & 7];
    int rest = walkers[t].energy;
    steps[t] = at + rest;
    while (rest > 0) {
//         ^^^^^^^^ info[WC302]
        rest -= next[left & 7];
        if (rest == at)
            paths[t] = walkers[t].turns - rest;
//                     ^^^^^^^^^^^^^^^^ none[WC101]
    }
}
