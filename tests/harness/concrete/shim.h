// Runs the kernels of a fixture on the host, thread by thread, and counts what each warp's requests cost.
//
// The fixture is compiled by g++ with -fsanitize=thread, whose calls before every memory access are defined here
// instead of taken from its library.  So the addresses are those of the C++ that the user wrote, found with no help from
// warpcost.  A block's threads are fibers; barriers, shuffles and votes hand over to the next fiber.
// A request is the k-th execution of one instruction by the lanes of one warp, which is right where the lanes of a
// warp execute an instruction equally often or leave in order; fixtures that are checked here keep to that.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <type_traits>
#include <ucontext.h>
#include <vector>
using std::max;
using std::min;

#define NOT_COUNTED __attribute__((no_sanitize("thread")))
#define __global__
#define __device__
#define __host__
#define __constant__ static __attribute__((section("constant_memory")))
#define __shared__ static
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) alignas(n)

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
namespace shim {
void touch(void *pc, const volatile void *p, int size, char kind, int line = 0);
}
// The compiler stores the result of a call without telling: an assignment of a vector tells by itself.
#define VECTOR(type, bits, ...)                                                     \
    struct alignas(bits) type {                                                     \
        __VA_ARGS__;                                                                \
        NOT_COUNTED type &operator=(const type &other) {                            \
            shim::touch(__builtin_return_address(0), &other, sizeof(type), 'R');    \
            shim::touch(__builtin_return_address(0), this, sizeof(type), 'W');      \
            std::memcpy((void *)this, (const void *)&other, sizeof(type));          \
            return *this;                                                           \
        }                                                                           \
    };
VECTOR(float2, 8, float x, y)
VECTOR(float4, 16, float x, y, z, w)
VECTOR(int2, 8, int x, y)
VECTOR(int4, 16, int x, y, z, w)
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline int2 make_int2(int x, int y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }

namespace shim {
constexpr std::size_t BUFFER = 1 << 24, BUFFERS = 16, STACK = 1 << 16;
alignas(4096) inline char memory[BUFFERS][BUFFER];
alignas(4096) inline char dynamic_shared[1 << 16];
inline uint3 threads[1024], block_index;
inline dim3 block_dim, grid_dim;
inline int current;
inline long parameter;

struct Key {
    void *pc;
    char kind;  // R, W, A
    int line;   // 0: to be found from pc
    auto operator<=>(const Key &) const = default;
};
struct Touch {
    int lane;
    std::uintptr_t address;
    int size;
};
struct Outcome {  // of one request
    char space;
    int size, active, cost, ideal;
    auto operator<=>(const Outcome &) const = default;
};
inline std::map<std::tuple<Key, int, int>, std::vector<Touch>> requests;  // key, warp, occurrence
inline std::map<std::pair<Key, int>, int> seen;                           // key, thread
inline std::map<Key, std::set<Outcome>> outcomes;
inline std::map<Key, int> most;  // executions by one warp
inline bool counting;
inline void (*on_touch)(const volatile void *p, int size, char kind);  // told of every access of a thread, if set

NOT_COUNTED inline char space_of(std::uintptr_t a) {
    extern char constant_begin[] __asm__("__start_constant_memory") __attribute__((weak));
    extern char constant_end[] __asm__("__stop_constant_memory") __attribute__((weak));
    extern char data_begin[] __asm__("__data_start"), data_end[] __asm__("_end");
    auto in = [a](const void *from, const void *to) { return a >= (std::uintptr_t)from && a < (std::uintptr_t)to; };
    if (in(memory, memory + BUFFERS)) return 'g';
    if (in(threads, threads + 1024) || in(&block_index, &block_index + 1) || in(&block_dim, &block_dim + 1) ||
        in(&grid_dim, &grid_dim + 1) || in(&current, &current + 1) || in(&parameter, &parameter + 1))
        return 'l';  // registers of the real machine
    if (in(dynamic_shared, dynamic_shared + sizeof dynamic_shared)) return 's';
    if (constant_begin && in(constant_begin, constant_end)) return 'c';
    if (in(data_begin, data_end)) return 's';
    return 'l';
}

NOT_COUNTED inline void touch(void *pc, const volatile void *p, int size, char kind, int line) {
    if (!counting) return;
    counting = false;  // the library's templates below are instrumented too
    if (on_touch) on_touch(p, size, kind);
    Key key{pc, kind, line};
    int k = seen[{key, current}]++;
    requests[{key, current / 32, k}].push_back({current % 32, (std::uintptr_t)p, size});
    counting = true;
}

NOT_COUNTED inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

// Wavefronts by HARDWARE.md: groups of lanes by width, merged where its rule allows.
NOT_COUNTED inline int wavefronts(const std::vector<Touch> &lanes, int size) {
    int groups = size == 16 ? 4 : size == 8 ? 2 : 1, per = 32 / groups;
    const Touch *by_lane[32] = {};
    for (auto &t : lanes) by_lane[t.lane] = &t;
    auto pairs = [&](int bit) {
        for (auto &t : lanes)
            if (by_lane[t.lane ^ bit] && by_lane[t.lane ^ bit]->address != t.address) return false;
        return true;
    };
    if (groups > 1 && (pairs(1) || pairs(2))) groups /= 2, per *= 2;
    int total = 0;
    for (int g = 0; g < groups; g++) {
        std::set<std::uintptr_t> words;
        for (int i = g * per; i < (g + 1) * per; i++)
            if (by_lane[i])
                for (auto w = by_lane[i]->address / 4; w <= (by_lane[i]->address + size - 1) / 4; w++) words.insert(w);
        int banks[32] = {}, worst = 0;
        for (auto w : words) worst = max(worst, ++banks[w % 32]);
        total += worst;
    }
    return total;
}

// Any vector of `distinct` elements on the lanes given costs at least this: consecutive elements, repeats side by side.
NOT_COUNTED inline int ideal_wavefronts(const std::vector<Touch> &lanes, int size, int distinct) {
    if (size <= 4) return 1;
    int best = 1 << 30;
    int repeats = (int)lanes.size() - distinct;
    for (int way = 0; way < 2; way++) {  // all repeats of the last address, or neighbours that share one first
        std::vector<Touch> packed = lanes;
        for (int i = 0; i < (int)packed.size(); i++) {
            int n = min(way ? (i < 2 * repeats ? i / 2 : i - repeats) : i, distinct - 1);
            packed[i].address = (std::uintptr_t)n * size;
        }
        best = min(best, wavefronts(packed, size));
    }
    return best;
}

NOT_COUNTED inline void close_block() {
    std::map<std::pair<Key, int>, int> executions;
    for (auto &[place, lanes] : requests) {
        auto &[key, warp, k] = place;
        int size = lanes[0].size;
        char space = space_of(lanes[0].address);
        std::set<std::uintptr_t> elements, sectors;
        for (auto &t : lanes) {
            elements.insert(t.address);
            for (auto s = t.address / 32; s <= (t.address + size - 1) / 32; s++) sectors.insert(s);
        }
        int distinct = elements.size();
        bool shared = space == 's';
        int cost = shared ? wavefronts(lanes, size) : (int)sectors.size();
        int ideal = shared ? ideal_wavefronts(lanes, size, distinct) : ceil_div(distinct * size, 32);
        outcomes[key].insert({space, size, (int)lanes.size(), cost, ideal});
        executions[{key, warp}]++;
    }
    for (auto &[place, n] : executions) most[place.first] = max(most[place.first], n);
    requests.clear();
    seen.clear();
}

enum Wait { READY, AT_WARP, AT_BLOCK, DONE };
inline ucontext_t main_context, fibers[1024];
inline Wait waits[1024];
inline char *stacks[1024];
inline void (*body)();

NOT_COUNTED inline void hand_over(Wait wait) {
    int me = current;
    waits[me] = wait;
    counting = false;
    swapcontext(&fibers[me], &main_context);
    current = me;
    counting = true;
}
NOT_COUNTED inline void run_fiber() {
    counting = true;
    body();
    counting = false;
    waits[current] = DONE;
    swapcontext(&fibers[current], &main_context);
}

NOT_COUNTED inline void release(int from, int to, Wait wait, int count) {
    int there = 0, alive = 0;
    for (int t = from; t < min(to, count); t++) alive += waits[t] != DONE, there += waits[t] == wait;
    if (alive && there == alive)
        for (int t = from; t < min(to, count); t++)
            if (waits[t] == wait) waits[t] = READY;
}

NOT_COUNTED inline void run_block(int count) {
    for (int t = 0; t < count; t++) {
        if (!stacks[t]) stacks[t] = new char[STACK];
        getcontext(&fibers[t]);
        fibers[t].uc_stack.ss_sp = stacks[t];
        fibers[t].uc_stack.ss_size = STACK;
        fibers[t].uc_link = &main_context;
        makecontext(&fibers[t], run_fiber, 0);
        waits[t] = READY;
    }
    for (bool left = true; left;) {
        bool ran = left = false;
        for (int t = 0; t < count; t++) {
            if (waits[t] == READY) {
                current = t;
                counting = true;
                swapcontext(&main_context, &fibers[t]);
                counting = false;
                ran = true;
            }
            left |= waits[t] != DONE;
        }
        for (int w = 0; w < count; w += 32) release(w, w + 32, AT_WARP, count);
        release(0, count, AT_BLOCK, count);
        bool ready = false;
        for (int t = 0; t < count; t++) ready |= waits[t] == READY;
        if (left && !ran && !ready) {
            std::fprintf(stderr, "threads wait for different barriers\n");
            std::exit(3);
        }
    }
    close_block();
}

NOT_COUNTED inline void launch(dim3 grid, dim3 block, void (*kernel)()) {
    body = kernel;
    block_dim = block;
    grid_dim = grid;
    int count = 0;
    for (unsigned z = 0; z < block.z; z++)
        for (unsigned y = 0; y < block.y; y++)
            for (unsigned x = 0; x < block.x; x++) threads[count++] = {x, y, z};
    for (unsigned z = 0; z < grid.z; z++)
        for (unsigned y = 0; y < grid.y; y++)
            for (unsigned x = 0; x < grid.x; x++) {
                block_index = {x, y, z};
                run_block(count);
            }
}

NOT_COUNTED inline void report(const char *kernel) {
    for (auto &[key, set] : outcomes)
        for (auto &o : set)
            std::printf("%s %p %d %c %c %d %d %d %d %d\n", kernel, key.pc, key.line, key.kind, o.space, o.size, o.active,
                        o.cost, o.ideal, most[key]);
    outcomes.clear();
    most.clear();
}

// A value for a kernel's parameter: memory for a pointer, the sampled size for a number, and so on for the members of a struct.
inline int next_buffer;
struct Any {
    template <class T> NOT_COUNTED operator T *() const { return (T *)memory[next_buffer++ % BUFFERS]; }
    template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0> NOT_COUNTED operator T() const {
        return (T)parameter;
    }
};
template <class T> NOT_COUNTED T argument() {
    if constexpr (std::is_pointer_v<T> || std::is_arithmetic_v<T>)
        return Any{};
    else if constexpr (requires { T{Any{}, Any{}, Any{}}; })
        return T{Any{}, Any{}, Any{}};
    else
        return T{Any{}, Any{}};
}
template <class... A> NOT_COUNTED void call(void (*kernel)(A...)) {
    next_buffer = 0;
    kernel(argument<A>()...);
}

inline std::uint64_t slots[2][1024];
inline int phase[1024];
template <class T> NOT_COUNTED T exchange(T value, int lane) {  // what `lane` of this warp put in
    counting = false;
    int me = current, now = phase[me]++ & 1;
    std::memcpy(&slots[now][me], &value, sizeof value);
    hand_over(AT_WARP);
    T result;
    counting = false;
    std::memcpy(&result, &slots[now][me / 32 * 32 + (lane & 31)], sizeof result);
    counting = true;
    return result;
}
}  // namespace shim

#define threadIdx (shim::threads[shim::current])
#define blockIdx (shim::block_index)
#define blockDim (shim::block_dim)
#define gridDim (shim::grid_dim)
#define warpSize 32

NOT_COUNTED inline void __syncthreads() { shim::hand_over(shim::AT_BLOCK); }
NOT_COUNTED inline void __syncwarp(unsigned = ~0u) { shim::hand_over(shim::AT_WARP); }
template <class T> NOT_COUNTED T __shfl_sync(unsigned, T v, int lane, int = 32) { return shim::exchange(v, lane); }
template <class T> NOT_COUNTED T __shfl_xor_sync(unsigned, T v, int bits, int = 32) {
    return shim::exchange(v, (shim::current % 32) ^ bits);
}
template <class T> NOT_COUNTED T __shfl_down_sync(unsigned, T v, int by, int = 32) {
    int lane = shim::current % 32 + by;
    return shim::exchange(v, lane < 32 ? lane : shim::current % 32);
}
template <class T> NOT_COUNTED T __shfl_up_sync(unsigned, T v, int by, int = 32) {
    int lane = shim::current % 32 - by;
    return shim::exchange(v, lane >= 0 ? lane : shim::current % 32);
}
NOT_COUNTED inline unsigned __ballot_sync(unsigned, int predicate) {
    unsigned bits = 0, alive = shim::current / 32 * 32;
    for (int lane = 0; lane < 32; lane++) {
        if (alive + lane >= blockDim.x * blockDim.y * blockDim.z) break;
        bits |= (unsigned)(shim::exchange(predicate != 0, lane)) << lane;
    }
    return bits;
}
NOT_COUNTED inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
NOT_COUNTED inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
NOT_COUNTED inline int __mul24(int a, int b) { return a * b; }
template <class T> NOT_COUNTED T __ldg(const T *p, int line = __builtin_LINE()) {
    shim::touch(nullptr, p, sizeof(T), 'R', line);
    return *p;
}
NOT_COUNTED inline int __popc(unsigned v) { return __builtin_popcount(v); }
template <class T>
NOT_COUNTED T atomicAdd(T *p, std::type_identity_t<T> v, int line = __builtin_LINE()) {
    shim::touch(nullptr, p, sizeof(T), 'A', line);
    T old = *p;
    *p = old + v;
    return old;
}
template <class T>
NOT_COUNTED T atomicMax(T *p, std::type_identity_t<T> v, int line = __builtin_LINE()) {
    shim::touch(nullptr, p, sizeof(T), 'A', line);
    T old = *p;
    *p = max(old, v);
    return old;
}

namespace cooperative_groups {
struct thread_block {
    NOT_COUNTED unsigned thread_rank() const { return shim::current; }
    NOT_COUNTED uint3 thread_index() const { return threadIdx; }
    NOT_COUNTED uint3 group_index() const { return blockIdx; }
    NOT_COUNTED unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
    NOT_COUNTED void sync() const { __syncthreads(); }
};
template <unsigned N> struct thread_block_tile {
    NOT_COUNTED unsigned thread_rank() const { return shim::current % N; }
    NOT_COUNTED unsigned meta_group_rank() const { return shim::current / N; }
    NOT_COUNTED unsigned size() const { return N; }
    NOT_COUNTED void sync() const { __syncwarp(); }
    template <class T> NOT_COUNTED T shfl(T v, int lane) const {
        return shim::exchange(v, shim::current % 32 / N * N + lane % N);
    }
};
NOT_COUNTED inline thread_block this_thread_block() { return {}; }
template <unsigned N> NOT_COUNTED thread_block_tile<N> tiled_partition(const thread_block &) { return {}; }
template <class G> NOT_COUNTED void sync(const G &group) { group.sync(); }
}  // namespace cooperative_groups

#define HOOK(name, size, kind)                                                     \
    extern "C" NOT_COUNTED inline __attribute__((used)) void name(void *address) { \
        shim::touch(__builtin_return_address(0), address, size, kind);             \
    }
HOOK(__tsan_read1, 1, 'R')
HOOK(__tsan_read2, 2, 'R')
HOOK(__tsan_read4, 4, 'R')
HOOK(__tsan_read8, 8, 'R')
HOOK(__tsan_read16, 16, 'R')
HOOK(__tsan_write1, 1, 'W')
HOOK(__tsan_write2, 2, 'W')
HOOK(__tsan_write4, 4, 'W')
HOOK(__tsan_write8, 8, 'W')
HOOK(__tsan_write16, 16, 'W')
extern "C" NOT_COUNTED inline __attribute__((used)) void __tsan_read_range(void *address, std::size_t size) {
    shim::touch(__builtin_return_address(0), address, (int)size, 'R');
}
extern "C" NOT_COUNTED inline __attribute__((used)) void __tsan_write_range(void *address, std::size_t size) {
    shim::touch(__builtin_return_address(0), address, (int)size, 'W');
}
extern "C" inline __attribute__((used)) void __tsan_func_entry(void *) {}
extern "C" inline __attribute__((used)) void __tsan_func_exit() {}
extern "C" inline __attribute__((used)) void __tsan_init() {}
extern "C" inline __attribute__((used)) void __tsan_vptr_update(void **, void *) {}
