// What a request costs, from the published rules of the hardware: sectors of 32 bytes, and wavefronts over 32 banks of 4 bytes.
#pragma once
#include <algorithm>
#include <set>
#include <vector>

struct Request {
  unsigned mask = 0;
  unsigned long long at[32];
  int bytes = 0;

  bool has(int lane) const { return mask >> lane & 1; }
  int lanes() const { return __builtin_popcount(mask); }
};

namespace costs {
typedef unsigned long long Address;

inline int distinct(std::vector<Address> &of) {
  std::sort(of.begin(), of.end());
  return (int)(std::unique(of.begin(), of.end()) - of.begin());
}
// Units of `unit` bytes that the lanes touch.
inline int units(const Request &r, int unit) {
  std::vector<Address> met;
  for (int l = 0; l < 32; l++)
    if (r.has(l)) for (Address u = r.at[l] / unit; u <= (r.at[l] + r.bytes - 1) / unit; u++) met.push_back(u);
  return distinct(met);
}
inline int elements(const Request &r) {
  std::vector<Address> met;
  for (int l = 0; l < 32; l++) if (r.has(l)) met.push_back(r.at[l]);
  return distinct(met);
}
inline int sectors(const Request &r) { return units(r, 32); }
inline int least_sectors(const Request &r) { return (elements(r) * r.bytes + 31) / 32; }

// Wavefronts of the lanes of a group: the most words that one bank has to serve.
inline int of_group(const Request &r, unsigned group) {
  std::set<Address> words[32];
  size_t most = 0;
  for (int l = 0; l < 32; l++)
    if ((r.mask & group) >> l & 1)
      for (Address w = r.at[l] / 4; w <= (r.at[l] + r.bytes - 1) / 4; w++) {
        words[w % 32].insert(w);
        most = std::max(most, words[w % 32].size());
      }
  return (int)most;
}
// Whether every two active lanes at this distance want the same.
inline bool agree(const Request &r, int distance) {
  for (int l = 0; l < 32; l++) if (r.has(l) && r.has(l ^ distance) && r.at[l] != r.at[l ^ distance]) return false;
  return true;
}
inline int in_groups(const Request &r, int lanes) {
  int sum = 0;
  unsigned group = lanes == 32 ? ~0u : (1u << lanes) - 1;
  for (int first = 0; first < 32; first += lanes) sum += of_group(r, group << first);
  return sum;
}
inline int wavefronts(const Request &r) {
  if (r.bytes <= 4) return in_groups(r, 32);
  int lanes = r.bytes == 8 ? 16 : 8;
  return in_groups(r, agree(r, 1) || agree(r, 2) ? 2 * lanes : lanes);
}
// Elements that lanes at this distance can at most want together with their neighbours: so many that groups merge.
inline int pairs(const Request &r, int distance) {
  int count = 0;
  for (int l = 0; l < 32; l++) if (r.has(l) && !(r.has(l ^ distance) && (l ^ distance) < l)) count++;
  return count;
}
inline int least_wavefronts(const Request &r) {
  if (r.bytes <= 4) return 1;
  int lanes = r.bytes == 8 ? 16 : 8, busy = 0;
  if (elements(r) <= std::max(pairs(r, 1), pairs(r, 2))) lanes *= 2;
  for (int first = 0; first < 32; first += lanes) busy += (r.mask >> first & (lanes == 32 ? ~0u : (1u << lanes) - 1)) != 0;
  return busy;
}
inline int contention(const Request &r) {
  int most = 0;
  for (int l = 0; l < 32; l++) {
    int same = 0;
    for (int k = 0; k < 32; k++) same += r.has(l) && r.has(k) && r.at[k] == r.at[l];
    most = std::max(most, same);
  }
  return most;
}
}  // namespace costs
