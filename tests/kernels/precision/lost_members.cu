// Records that no header declares: what their members lead to is loaded all the same, beside what is known.
// PARAM: --block 256
#include "nowhere.h"

// Two gathers like the store, and a list of neighbours that lanes read side by side: the store is a third.
__global__ void weights(const Edges edges, float *dense, int n) {
//                      ^^^^^^^^^^^ info[WC900]
    int i = blockIdx.x * 256 + threadIdx.x;
    int last = edges.first[i + 1];
    for (int k = edges.first[i]; k < last; k++)
//                               ^^^^^^^^ info[WC302]
        dense[n * i + edges.end[k]] = edges.weight[k];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "33% of this kernel's global traffic"
}

// Neighbours read neighbours, wherever these are.
__global__ void spread_out(const Edges edges, float *dense) {
//                         ^^^^^^^^^^^ info[WC900]
    int i = blockIdx.x * 256 + threadIdx.x;
    dense[8 * i] = edges.weight[i] + edges.length[i];
//  ^^^^^^^^^^^^ warn[WC101]! "80% of this kernel's global traffic"
}
