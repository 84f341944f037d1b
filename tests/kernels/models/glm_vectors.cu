// Vectors and matrices of GLM, whose headers are not here: components behind each other, matrices by columns.
#include <glm/glm.hpp>
#include <glm/gtc/type_ptr.hpp>

using vec3 = glm::vec<3, float>;
using mat3 = glm::mat<3, 3, float>;
using mat3x2 = glm::mat<3, 2, float>;

// A point of 12 bytes takes three requests of 12 sectors each; the matrix is the same for all.
//! unknown none
__global__ void moved(vec3 *out, const vec3 *in, const float *views) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    mat3 turn = glm::make_mat3(views);
    //          ^^^^^^^^^^^^^^^^^^^^^ info[WC104]
    vec3 p = glm::transpose(turn) * in[i] + glm::make_vec3(views + 9);
//                                  ^^^^^ access! space=global rw=R bytes=4 worst=12 best=12
    p[1] = glm::dot(p, p) + turn[0][2] * glm::length(p);
    out[i] = glm::normalize(glm::cross(p, p)) * 2.0f;
//  ^^^^^^ access! space=global rw=W bytes=4 worst=12 best=12
//  ^^^^^^ info[WC101]! "12 sectors where 4 would do"
}

// What components hold is followed: all lanes go one way.
//! unknown none
//! bound divergences "0" exact
__global__ void sizes(char *c, int n) {
    glm::ivec2 most(n, 2);
    mat3x2 wide(1.0f);
    if (most[0] + most.y > 3) c[sizeof(wide * mat3(2.0f)) * threadIdx.x] = 1;
//                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=24 best=24
//                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "24 sectors"
    c[sizeof(glm::vec4) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors"
}

void run(vec3 *out, const vec3 *in, const float *views, char *c, int n) {
    moved<<<64, 256>>>(out, in, views);
    sizes<<<1, 256>>>(c, n);
}
