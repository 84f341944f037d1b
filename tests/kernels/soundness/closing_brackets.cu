// One `>>` closes two lists of template arguments: what lies between commas inside of the inner one is no argument of the outer one.

template <class T, class U>
struct Two {
    T first;
    U second;
};

template <class T>
struct Chosen {
    char bytes[16];
};

template <class T>
struct Chosen<Two<T, T>> {
    char bytes[2];
};

template <class T>
struct Held {
    T held;
};

struct Derived : Held<Two<char, short>> {
    char own;
};

//! block (256)
//! unknown none
__global__ void closing_brackets(char *p, Derived *derived) {
    p[sizeof(Chosen<Two<int, int>>) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1 space=global rw=W bytes=1 times=1
    // What is asked for its size is a type here, too, not a call of something called decltype.
    p[sizeof(decltype(derived->own)) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=global rw=W bytes=1 times=1
    derived[threadIdx.x].own = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "6 sectors where 1 would do (6x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6 ideal=1 space=global rw=W bytes=1 times=1
}
