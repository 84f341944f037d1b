// Runs generated kernels lane by lane, and writes down what each warp asked of memory and how it decided.
//
// Each thread of a block is a fiber that runs until it waits.  Requests are those accesses of a warp's lanes that stand at one place of
// the text, in the same calls and the same rounds of loops.  A run in which anything is undefined proves nothing and says why.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "costs.h"
#include "dialect.h"
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim

using std::string;
using std::vector;

namespace {

const size_t STACK = 128 << 10, GUARD = 32 << 10, ROOM = 256 << 10;

enum State { READY, AT_BARRIER, EXCHANGING, ENDED };

struct Fiber {
  ucontext_t context;
  char *stack;
  State state;
  uint3 thread;
  int number;
  vector<u64> frames;
  int via;
  vector<int> vias;
  int vote;
  unsigned mask, arrived;
  u64 value, values[32];
};

typedef void (*Run)(const i64 *, void *const *);
struct Region {
  char *begin;
  size_t bytes;
  char space;           // g: an array of the launch, d: one of the file, s: shared
  Run owner = nullptr;  // of shared arrays, the kernel
};

struct Asked : Request {
  int site, part, via;
  char space;
  wc::Way way;
  u64 content[32];  // of loads
};
struct Decided {
  unsigned mask = 0;
  i64 target[32];
  int site, via;
};
struct Entered {  // one execution of a loop
  int site, via;
  unsigned mask = 0;
  i64 rounds[32];
};
struct Warp {
  std::unordered_map<u64, Asked> asked;
  std::unordered_map<u64, Decided> decided;
  std::unordered_map<u64, Entered> entered;
};

vector<Fiber *> fibers;
Fiber *now = nullptr;
ucontext_t scheduler;
uint3 block_number, shape, grid;
vector<Warp> warps;
vector<Region> arrays, statics;
const Region *met = nullptr;  // the one that was hit last
string why;  // the run proves nothing
std::set<int> wraps;
std::map<std::pair<int, int>, int> via_numbers;
vector<vector<int>> via_texts;
int sum_of_votes;
Run kernel;
const i64 *kernel_values;
void *const *kernel_arrays;

u64 mixed(u64 a, u64 b) {
  a = (a ^ (b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdull;
  return a ^ a >> 33;
}

void abandon() {
  now->state = ENDED;
  for (;;) swapcontext(&now->context, &scheduler);
}
void void_run(const string &reason) {
  if (why.empty()) why = reason;
}
[[noreturn]] void fail(const string &reason) {
  void_run(reason);
  abandon();
  abort();
}
void wait_as(State state) {
  now->state = state;
  swapcontext(&now->context, &scheduler);
  if (!why.empty()) abandon();
}

// --- races ---------------------------------------------------------------------------------------------------------------

struct Last {
  int writer = -1, reader = -1, epoch_written = -1, epoch_read = -1;
  bool atomic = false;
};
bool look_for_races = false;
std::unordered_map<u64, Last> last;
std::set<char> raced;  // spaces in which threads met without order
int epoch = 0;         // counts barriers and blocks
int first_epoch = 0;   // of this block

bool unordered(int by, int at, int me) { return by >= 0 && by != me && (at == epoch || at < first_epoch); }

void note_race(u64 place, wc::Way way, char space) {
  int me = (int)((block_number.z * grid.y + block_number.y) * grid.x + block_number.x) * 1024 + now->number;
  Last &l = last[place];
  if (unordered(l.writer, l.epoch_written, me) && !(way == wc::ATOMIC && l.atomic)) raced.insert(space);
  bool loads = way == wc::READ || way == wc::UPDATE;
  if (!loads && unordered(l.reader, l.epoch_read, me)) raced.insert(space);
  if (loads) {
    if (!(l.reader >= 0 && l.reader != me && l.epoch_read == epoch)) l.reader = me, l.epoch_read = epoch;
  } else {
    l.writer = me, l.epoch_written = epoch, l.atomic = way == wc::ATOMIC;
  }
}

// --- costs of a launch, added up -------------------------------------------------------------------------------------------

struct Sum {
  int worst = 0, excess = 0, contention = 0, most_lanes = 0;
  i64 requests = 0, most_requests = 0;
  std::map<int, std::pair<int, int>> costs;  // by active lanes, the least and the greatest
  std::set<std::pair<int, int>> ideals;      // active lanes, ideal
  std::set<std::tuple<int, int, int>> kinds;  // active lanes, cost, ideal
};
struct Splits {
  i64 tests = 0, splits = 0, most_tests = 0;
  int warps_whole = 0, splits_of_block = 0, whole_unsplit = 0;  // warps of this block that came with all lanes; blocks in which all did and none split
  int least_side = 32, greatest_side = 0;
};
struct Rounds {
  i64 least = -1, most = 0, apart = 0;
};
typedef std::tuple<int, int, int, int, int, int> AccessKey;  // site, part, way, space, bytes, via
typedef std::pair<int, int> PlaceKey;                        // site, via

struct Launch {
  std::map<AccessKey, Sum> accesses;
  std::map<PlaceKey, Splits> branches;
  std::map<PlaceKey, Rounds> loops;
  vector<std::array<i64, 6>> rows;  // block, sectors, excessive, wavefronts, conflicts, divergences of each warp
};

void add_accesses(Launch &launch, const Warp &warp, std::array<i64, 6> &row) {
  std::map<AccessKey, i64> times;
  for (auto &entry : warp.asked) {
    const Asked &a = entry.second;
    bool shared = a.space == 's';
    int cost = shared ? costs::wavefronts(a) : costs::sectors(a), ideal = shared ? costs::least_wavefronts(a) : costs::least_sectors(a);
    row[shared ? 3 : 1] += cost;
    row[shared ? 4 : 2] += std::max(0, cost - ideal);
    AccessKey key(a.site, a.part, a.way, shared, a.bytes, a.via);
    Sum &sum = launch.accesses[key];
    times[key]++;
    sum.requests++;
    sum.worst = std::max(sum.worst, cost);
    sum.excess = std::max(sum.excess, cost - ideal);
    sum.most_lanes = std::max(sum.most_lanes, a.lanes());
    auto found = sum.costs.emplace(a.lanes(), std::make_pair(cost, cost)).first;
    found->second = {std::min(found->second.first, cost), std::max(found->second.second, cost)};
    sum.ideals.insert({a.lanes(), ideal});
    sum.kinds.emplace(a.lanes(), cost, ideal);
    if (a.way == wc::ATOMIC) sum.contention = std::max(sum.contention, costs::contention(a));
  }
  for (auto &t : times) launch.accesses[t.first].most_requests = std::max(launch.accesses[t.first].most_requests, t.second);
}
void add_branches(Launch &launch, const Warp &warp, unsigned everyone, std::array<i64, 6> &row) {
  std::set<PlaceKey> whole;
  std::map<PlaceKey, i64> times;
  for (auto &entry : warp.decided) {
    const Decided &d = entry.second;
    std::map<i64, int> sides;
    for (int l = 0; l < 32; l++) if (d.mask >> l & 1) sides[d.target[l]]++;
    Splits &s = launch.branches[{d.site, d.via}];
    times[{d.site, d.via}]++;
    s.tests++;
    int splits = (int)sides.size() - 1;
    row[5] += splits;
    s.splits_of_block += splits;
    if (d.mask == everyone) whole.insert({d.site, d.via});
    if (!splits) continue;
    s.splits++;
    for (auto &side : sides) s.least_side = std::min(s.least_side, side.second), s.greatest_side = std::max(s.greatest_side, side.second);
  }
  for (auto &t : times) launch.branches[t.first].most_tests = std::max(launch.branches[t.first].most_tests, t.second);
  for (auto &place : whole) launch.branches[place].warps_whole++;
}
void end_block(Launch &launch, int warps) {
  for (auto &entry : launch.branches) {
    Splits &s = entry.second;
    s.whole_unsplit += s.warps_whole == warps && !s.splits_of_block;
    s.warps_whole = s.splits_of_block = 0;
  }
}
void add_loops(Launch &launch, const Warp &warp) {
  for (auto &entry : warp.entered) {
    const Entered &e = entry.second;
    i64 most = 0, least = 1ll << 60;
    for (int l = 0; l < 32; l++) if (e.mask >> l & 1) most = std::max(most, e.rounds[l]), least = std::min(least, e.rounds[l]);
    Rounds &r = launch.loops[{e.site, e.via}];
    r.least = r.least < 0 ? most : std::min(r.least, most);
    r.most = std::max(r.most, most);
    r.apart = std::max(r.apart, most - least);
  }
}

// --- running -----------------------------------------------------------------------------------------------------------------

void fiber_main() {
  kernel(kernel_values, kernel_arrays);
  now->state = ENDED;
  for (;;) swapcontext(&now->context, &scheduler);
}

void start(int threads) {
  while ((int)fibers.size() < threads) {
    Fiber *f = new Fiber;
    f->stack = (char *)mmap(nullptr, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    f->number = (int)fibers.size();
    fibers.push_back(f);
  }
  for (int i = 0; i < threads; i++) {
    Fiber *f = fibers[i];
    f->state = READY;
    f->thread = {i % shape.x, i / shape.x % shape.y, i / (shape.x * shape.y)};
    f->frames.assign(1, 1);
    f->via = 0;
    f->vias.clear();
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = STACK;
    f->context.uc_link = &scheduler;
    makecontext(&f->context, fiber_main, 0);
  }
}

// Lanes of a warp hand each other values once all that are named in a mask have come.
bool release_exchanges(int threads) {
  bool released = false;
  for (int i = 0; i < threads; i++) {
    Fiber *f = fibers[i];
    if (f->state != EXCHANGING) continue;
    int first = i & ~31;
    unsigned have = 0;
    bool all = f->mask >> (i & 31) & 1;
    for (int l = 0; l < 32 && first + l < threads; l++) {
      if (!(f->mask >> l & 1)) continue;
      Fiber *o = fibers[first + l];
      if (o->state == EXCHANGING && o->mask == f->mask) have |= 1u << l;
      else if (o->state != ENDED) all = false;
    }
    if (!all) continue;
    u64 values[32] = {0};
    for (int l = 0; l < 32; l++) if (have >> l & 1) values[l] = fibers[first + l]->value;
    for (int l = 0; l < 32; l++)
      if (have >> l & 1) {
        Fiber *o = fibers[first + l];
        memcpy(o->values, values, sizeof values);
        o->arrived = have;
        o->state = READY;
      }
    released = true;
  }
  return released;
}
bool release_barrier(int threads) {
  int waiting = 0, sum = 0;
  for (int i = 0; i < threads; i++) {
    if (fibers[i]->state == EXCHANGING) return false;
    if (fibers[i]->state == AT_BARRIER) waiting++, sum += fibers[i]->vote;
  }
  for (int i = 0; i < threads; i++) {
    if (fibers[i]->state == AT_BARRIER) fibers[i]->state = READY;
  }
  sum_of_votes = sum;
  epoch++;
  return waiting > 0;
}
void run_block(int threads) {
  start(threads);
  while (why.empty()) {
    int ended = 0;
    for (int i = 0; i < threads && why.empty(); i++) {
      if (fibers[i]->state == READY) {
        now = fibers[i];
        swapcontext(&scheduler, &now->context);
        now = nullptr;
      }
      ended += fibers[i]->state == ENDED;
    }
    if (ended == threads) return;
    if (!release_exchanges(threads) && !release_barrier(threads)) void_run("threads wait for each other");
  }
}
void fill(char *begin, size_t bytes, int width, bool real, i64 low, i64 high, u64 seed) {
  const size_t tile = std::min<size_t>(1 << 12, (bytes + 7) & ~7ull);
  static char pattern[1 << 12];
  for (size_t i = 0; i < tile; i += width) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    i64 v = low + (i64)((seed >> 33) % (u64)(high - low + 1));
    if (real && width == 8) { double d = (double)v; memcpy(pattern + i, &d, 8); }
    else if (real) { float f = (float)v; memcpy(pattern + i, &f, 4); }
    else memcpy(pattern + i, &v, width);
  }
  for (size_t i = 0; i < bytes; i += tile) memcpy(begin + i, pattern, std::min(tile, bytes - i));
}

string list(const vector<int> &numbers) {
  string text;
  for (int n : numbers) text += (text.empty() ? "" : ",") + std::to_string(n);
  return "[" + text + "]";
}
void tell(const Launch &launch) {
  std::ostringstream out;
  const char *comma = "";
  auto next = [&](const char *text) { out << text; comma = ""; };
  next("{\"why\":\""); out << why << "\",\"raced\":" << (raced.empty() ? "false" : "true") << ",\"wraps\":" << list(vector<int>(wraps.begin(), wraps.end()));
  next(",\"warps\":[");
  for (auto &r : launch.rows) { out << comma << '[' << r[0] << ',' << r[1] << ',' << r[2] << ',' << r[3] << ',' << r[4] << ',' << r[5] << ']'; comma = ","; }
  next("],\"accesses\":[");
  for (auto &entry : launch.accesses) {
    const Sum &s = entry.second;
    int site, part, way, shared, bytes, via;
    std::tie(site, part, way, shared, bytes, via) = entry.first;
    out << comma << "{\"site\":" << site << ",\"part\":" << part << ",\"rw\":\"" << "RWAR"[way] << "\",\"space\":\"" << (shared ? "shared" : "global") << "\",\"bytes\":" << bytes
        << ",\"via\":" << list(via_texts[via]) << ",\"worst\":" << s.worst << ",\"excess\":" << s.excess << ",\"contention\":" << s.contention << ",\"most_lanes\":" << s.most_lanes
        << ",\"requests\":" << s.requests << ",\"most_requests\":" << s.most_requests << ",\"costs\":[";
    const char *between = "";
    for (auto &c : s.costs) { out << between << '[' << c.first << ',' << c.second.first << ',' << c.second.second << ']'; between = ","; }
    out << "],\"ideals\":[";
    between = "";
    for (auto &c : s.ideals) { out << between << '[' << c.first << ',' << c.second << ']'; between = ","; }
    out << "],\"kinds\":[";
    between = "";
    for (auto &c : s.kinds) { out << between << '[' << std::get<0>(c) << ',' << std::get<1>(c) << ',' << std::get<2>(c) << ']'; between = ","; }
    out << "]}";
    comma = ",";
  }
  next("],\"branches\":[");
  for (auto &entry : launch.branches) {
    const Splits &s = entry.second;
    out << comma << "{\"site\":" << entry.first.first << ",\"via\":" << list(via_texts[entry.first.second]) << ",\"tests\":" << s.tests << ",\"splits\":" << s.splits << ",\"most_tests\":" << s.most_tests
        << ",\"whole_unsplit\":" << s.whole_unsplit << ",\"least_side\":" << s.least_side << ",\"greatest_side\":" << s.greatest_side << '}';
    comma = ",";
  }
  next("],\"loops\":[");
  for (auto &entry : launch.loops) {
    const Rounds &r = entry.second;
    out << comma << "{\"site\":" << entry.first.first << ",\"via\":" << list(via_texts[entry.first.second]) << ",\"least\":" << r.least << ",\"most\":" << r.most << ",\"apart\":" << r.apart << '}';
    comma = ",";
  }
  out << "]}\n";
  fputs(out.str().c_str(), stdout);
}

// A job is a line: kernel, block, grid, seed, races, the arrays (width, whether real, least and greatest content), the numbers.
void job(std::istringstream &in, vector<char *> &rooms) {
  string name;
  size_t seed, number;
  in >> name >> shape.x >> shape.y >> shape.z >> grid.x >> grid.y >> grid.z >> seed >> look_for_races >> number;
  why.clear(), wraps.clear(), raced.clear(), last.clear(), arrays.clear(), met = nullptr;
  via_numbers.clear(), via_texts.assign(1, {});
  vector<void *> places;
  for (size_t i = 0; i < number; i++) {
    int width, real;
    i64 low, high;
    in >> width >> real >> low >> high;
    if (rooms.size() <= i) rooms.push_back((char *)aligned_alloc(4096, ROOM + 2 * GUARD));
    fill(rooms[i], ROOM + 2 * GUARD, width, real, low, high, seed * 31 + i);
    arrays.push_back({rooms[i], ROOM + 2 * GUARD, 'g'});
    places.push_back(rooms[i] + GUARD);
  }
  vector<i64> values;
  for (i64 v; in >> v;) values.push_back(v);
  kernel = nullptr;
  for (int i = 0; i < wc_count; i++) if (name == wc_kernels[i].name) kernel = wc_kernels[i].run;
  kernel_values = values.data(), kernel_arrays = places.data();
  Launch launch;
  int threads = (int)(shape.x * shape.y * shape.z);
  if (!kernel) void_run("no such kernel");
  for (unsigned b = 0; b < grid.x * grid.y * grid.z && why.empty(); b++) {
    block_number = {b % grid.x, b / grid.x % grid.y, b / (grid.x * grid.y)};
    first_epoch = ++epoch;
    for (auto &s : statics) if (s.owner == kernel || !(s.owner || b)) fill(s.begin, s.bytes, 1, false, 0, 7, seed + b);
    warps.assign((threads + 31) / 32, Warp());
    run_block(threads);
    for (size_t w = 0; w < warps.size(); w++) {
      std::array<i64, 6> row = {(i64)b, 0, 0, 0, 0, 0};
      int lanes = std::min(32, threads - 32 * (int)w);
      add_accesses(launch, warps[w], row), add_branches(launch, warps[w], ~0u >> (32 - lanes), row), add_loops(launch, warps[w]);
      launch.rows.push_back(row);
    }
    end_block(launch, (int)warps.size());
  }
  tell(launch);
}

const Region *region_of(const char *p, int bytes) {
  auto has = [&](const Region &r) { return p >= r.begin && p + bytes <= r.begin + r.bytes && (!r.owner || r.owner == kernel); };
  if (met && has(*met)) return met;
  for (auto &r : arrays) if (has(r)) return met = &r;
  for (auto &r : statics) if (has(r)) return met = &r;
  return nullptr;
}
// A warp loads an element once for all lanes that want it.  Here they come one after the other: what another has stored meanwhile is a race.
void note_content(Asked &a, int lane, const char *p, int bytes) {
  u64 words[2] = {0, 0};
  memcpy(words, p, std::min(bytes, 16));
  a.content[lane] = mixed(words[0], words[1]);
  for (int l = 0; l < 32; l++)
    if (a.has(l) && a.at[l] == (u64)p && a.content[l] != a.content[lane]) void_run("lanes of one request find different contents");
}
u64 keyed(u64 site) { return mixed(now->frames.back(), site); }
Warp &my_warp() { return warps[now->number / 32]; }

}  // namespace

// --- what kernels call ---------------------------------------------------------------------------------------------------------

namespace wc {

uint3 thread_index() { return now->thread; }
uint3 block_index() { return block_number; }
uint3 block_shape() { return shape; }
uint3 grid_shape() { return grid; }
int lane() { return now->number & 31; }

void region(void *begin, size_t bytes, char space) {
  statics.push_back({(char *)begin, bytes, space}); }

void touch(const volatile void *place, int bytes, Way way, int site, int part) {
  char *p = (char *)place;
  if (p >= now->stack && p < now->stack + STACK) return;
  const Region *found = region_of(p, bytes);
  if (!found) fail("outside of all arrays");
  if ((u64)p % bytes) fail("not aligned");
  if (look_for_races) note_race((u64)p, way, found->space);
  int lane = now->number & 31;
  Asked &a = my_warp().asked[keyed(((u64)site << 8 | part) * 4 + way)];
  if (!a.mask) a.site = site, a.part = part, a.via = now->via, a.space = found->space, a.way = way, a.bytes = bytes;
  if (a.mask >> lane & 1) fail("a lane comes twice to one request");
  if (a.space != found->space) fail("a request of two memories");
  if (way == READ) note_content(a, lane, p, bytes);
  a.mask |= 1u << lane;
  a.at[lane] = (u64)p;
}
bool decided(int site, i64 target) {
  int lane = now->number & 31;
  Decided &d = my_warp().decided[keyed(site)];
  if (!d.mask) d.site = site, d.via = now->via;
  if (d.mask >> lane & 1) fail("a lane comes twice to one test");
  d.mask |= 1u << lane;
  d.target[lane] = target;
  return target != 0;
}

u64 where() { return now->frames.back(); }
void enter_call(int site) {
  now->frames.push_back(mixed(now->frames.back(), (u64)site << 1 | 1));
  now->vias.push_back(now->via);
  auto found = via_numbers.emplace(std::make_pair(now->via, site), (int)via_texts.size());
  if (found.second) {
    vector<int> sites = via_texts[now->via];
    sites.push_back(site);
    via_texts.push_back(sites);
  }
  now->via = found.first->second;
}
void leave_call() {
  now->frames.pop_back();
  now->via = now->vias.back();
  now->vias.pop_back();
}
void enter_loop() { now->frames.push_back(0); }
void round_of(u64 outside, int loop, i64 round) { now->frames.back() = mixed(mixed(outside, (u64)loop << 1), (u64)round); }
void leave_loop(u64 outside, int loop, i64 rounds) {
  now->frames.pop_back();
  Entered &e = my_warp().entered[mixed(outside, loop)];
  int lane = now->number & 31;
  e.site = loop, e.via = now->via, e.mask |= 1u << lane, e.rounds[lane] = rounds;
}
void wrapped(int site) { wraps.insert(site); }
void too_long() { fail("a loop is too long"); }

void barrier(int value) {
  now->vote = value;
  wait_as(AT_BARRIER);
}
int barrier_sum() { return sum_of_votes; }
void exchange(unsigned mask, u64 value, u64 *values, unsigned *arrived) {
  now->mask = mask;
  now->value = value;
  wait_as(EXCHANGING);
  memcpy(values, now->values, sizeof now->values);
  *arrived = now->arrived;
}

}  // namespace wc

// --- what the compiler calls where C++ leaves it undefined what happens ------------------------------------------------------------

extern "C" {
#define WC_UNDEFINED(NAME) \
  void __ubsan_handle_##NAME(void *, void *, void *) { if (now) void_run("undefined: " #NAME); }
WC_UNDEFINED(add_overflow) WC_UNDEFINED(sub_overflow) WC_UNDEFINED(mul_overflow) WC_UNDEFINED(negate_overflow)
WC_UNDEFINED(divrem_overflow) WC_UNDEFINED(shift_out_of_bounds) WC_UNDEFINED(out_of_bounds)
}

int main() {
  vector<char *> rooms;
  for (string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    job(in, rooms);
    fflush(stdout);
  }
}
