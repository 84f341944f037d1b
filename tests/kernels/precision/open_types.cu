// Types that nobody gives a template parameter, and those that objects of class templates give it.

// An atomic on elements of an unknown type goes anywhere, like a load: it is a part of all sectors, and not left out.
template <typename Key, typename Value>
__global__ void placed(Key *slots, Value *held, const int *at, const Key *keys, const Value *values) {
    int i = blockIdx.x * 128 + threadIdx.x;
    int place = at[i];
    Key before = atomicCAS(&slots[place], Key(), keys[i]);
//                          ^^^^^^^^^^^^ hint[WC101] "up to 32 sectors"
//                          ^^^^^^^^^^^^ access! worst=32
    if (before == Key())
        held[place] = values[i];
//      ^^^^^^^^^^^ none[WC101]
}

template <typename Key, typename Value>
void place(Key *slots, Value *held, const int *at, const Key *keys, const Value *values, int n) {
    placed<Key, Value><<<n / 128, 128>>>(slots, held, at, keys, values);
}

template <typename Key, typename Value>
struct Table {
    Table(int n) : room(n) {
        cudaMalloc(&slots, n * sizeof(Key));
        cudaMalloc(&held, n * sizeof(Value));
    }
    void find(const Key *keys, const int *at, Value *found, int n);
    Key *slots;
    Value *held;
    int room;
};

// The members that launch are called of tables of one kind alone: eight bytes an element.
template <typename K, typename V>
__global__ void find_all(const K *slots, const V *held, const K *keys, const int *at, V *found) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (slots[at[i]] == keys[i])
//      ^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 8 would do (4x)"
        found[i] = held[i];
}

template <typename K, typename V>
void Table<K, V>::find(const K *keys, const int *at, V *found, int n) {
    find_all<K, V><<<n / 128, 128>>>(slots, held, keys, at, found);
}

int host(const unsigned long long *keys, const int *at, float *found, int n) {
    Table<unsigned long long, float> table(n);
    table.find(keys, at, found, n);
    return 0;
}
