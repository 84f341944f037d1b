// What classes mean: a store goes `step` bytes from lane to lane, and touches as many sectors.  The trap in each: the step of another
// function, of another member, or of a value that was assigned later.
// PARAM: --block 64

struct Shape {
    int width = 3;
    __device__ virtual int step() const { return 2; }
    __device__ int rows() const { return 4; }
    __device__ int twice() const { return 2 * step(); }
};
struct Tile : Shape {
    int width = 7;
    __device__ int step() const override { return 6; }
    __device__ int rows() const { return 9; }
};

__device__ int overridden(const Shape &shape) { return shape.step(); }
__device__ int hidden(const Shape &shape) { return shape.rows() + shape.width; }

//! unknown none
__global__ void through_a_reference(char *c) {
    Tile tile;
    c[overridden(tile) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
    c[hidden(tile) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=7 best=7
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

//! unknown none
__global__ void in_a_member_function(char *c) {
    Tile tile;
    c[tile.twice() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
    c[tile.Shape::step() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2
}

struct Counted {
    int at;
    __device__ Counted() : at(pitch()) {}
    __device__ virtual int pitch() const { return 5; }
};
struct Padded : Counted {
    __device__ Padded() {}
    __device__ int pitch() const override { return 11; }
};

//! unknown none
__global__ void while_a_base_is_made(char *c) {
    Padded padded;
    c[padded.at * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

//! unknown "which 'step' a virtual call"
__global__ void of_any_class(char *c, const Shape *shape) {
    c[shape->step() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32
//    ^^^^^^^^^^^^^ info[WC900] "which 'step' a virtual call"
}

struct Extent {
    int low, high;
    __device__ Extent(int n) : low(n), high(n + 8) {}
};
struct Box {
    Extent extent;
    int depth;
};

//! unknown none
__global__ void braces(char *c) {
    Box box = {1, 6};
    c[box.depth * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
    c[box.extent.high * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

struct Window {
    int size = 3;
    __device__ int copied() {
        auto held = [*this] { return size; };
        size = 8;
        return held();
    }
    __device__ int shared() {
        auto seen = [this] { return size; };
        size = 10;
        return seen();
    }
};

//! unknown none
__global__ void captured(char *c) {
    Window first, second;
    c[first.copied() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=3 best=3
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]!
    c[second.shared() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=10 best=10
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

//! unknown none
__global__ void local_class(char *c) {
    struct Pair {
        int a, b;
    } pair = {4, 7};
    c[pair.b * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=7 best=7
//  ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

struct Mask {
    int bits;
};
__device__ int operator&&(Mask a, Mask b) { return a.bits + b.bits; }

//! unknown none
__global__ void both_sides(char *c) {
    Mask a{4}, b{9};
    int step = a && b;
    c[step * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=13
//  ^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
}

//! unknown "`undeclared` is not declared"
__global__ void an_operator_of_an_absent_header(char *c) {
    int step = undeclared || 1;
//             ^^^^^^^^^^ info[WC900] "`undeclared` is not declared"
    c[(step & 15) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=30
}
