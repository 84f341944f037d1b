// Graphs as adjacency lists.

__global__ void bfs_level(const int *row, const int *edge, int *level, int *changed, int depth, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != depth) return;
    for (int e = row[v]; e < row[v + 1]; e++) {
        int to = edge[e];
        if (level[to] < 0) {
            level[to] = depth + 1;
            *changed = 1;
        }
    }
}

__global__ void rank_push(const int *row, const int *edge, const float *rank, float *next, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        int begin = row[v], end = row[v + 1];
        float share = rank[v] / (end - begin);
        for (int e = begin; e < end; e++) atomicAdd(&next[edge[e]], share);
    }
}

// Follows parents to the root.
__global__ void find_roots(int *parent, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    int p = parent[v];
    while (p != parent[p]) p = parent[p];
    parent[v] = p;
}

// Common neighbours of the ends of each edge, by merging two sorted lists.
__global__ void triangles(const int *row, const int *edge, const int *from, const int *to, int *count, int m) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) return;
    int i = row[from[e]], i_end = row[from[e] + 1], j = row[to[e]], j_end = row[to[e] + 1];
    int found = 0;
    while (i < i_end && j < j_end) {
        int a = edge[i], b = edge[j];
        if (a == b) found++;
        if (a <= b) i++;
        if (b <= a) j++;
    }
    count[e] = found;
}
