// The memory that kernels may touch: the buffers of every rank, in its window or beside it.
//
// Buffers in windows never overlap. What a rank has beside its window it may have in common with
// others, in parts that overlap: that is looked up by rank. Ranks make and drop buffers while
// others run, hence the lock.
#ifndef PLD_SIM_MEMORY_MAP_HPP
#define PLD_SIM_MEMORY_MAP_HPP

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "pld_sim/api.h"
#include "pld_sim/transport.hpp"

namespace pld_sim {

class MemoryMap {
 public:
  void set_window(int32_t rank, const void* base, uint64_t bytes) {
    std::unique_lock<std::shared_mutex> guard(lock_);
    windows_[rank] = {reinterpret_cast<uint64_t>(base), bytes};
  }

  void add(const pld_sim_buffer& buffer) {
    std::unique_lock<std::shared_mutex> guard(lock_);
    if (buffer.in_window) {
      shared_[reinterpret_cast<uint64_t>(buffer.base)] = buffer;
    } else {
      own_[buffer.rank].push_back(buffer);
    }
  }

  void remove(int32_t rank, const void* base) {
    std::unique_lock<std::shared_mutex> guard(lock_);
    std::vector<pld_sim_buffer>& own = own_[rank];
    own.erase(std::remove_if(own.begin(), own.end(),
                             [&](const pld_sim_buffer& each) { return each.base == base; }),
              own.end());
  }

  // Where `bytes` at `address` are, if one buffer that the rank may touch holds them all.
  bool find(int32_t rank, const void* address, uint64_t bytes, Place& place) const {
    std::shared_lock<std::shared_mutex> guard(lock_);
    const uint64_t first = reinterpret_cast<uint64_t>(address);
    const pld_sim_buffer* buffer = in_windows(first, bytes);
    if (buffer == nullptr) buffer = beside(rank, first, bytes);
    if (buffer == nullptr) return false;
    place.address = const_cast<void*>(address);
    place.rank = buffer->rank;
    place.in_window = buffer->in_window != 0;
    place.offset = place.in_window ? first - windows_.at(buffer->rank).base : 0;
    return true;
  }

  std::string describe(uint64_t address) const {
    std::shared_lock<std::shared_mutex> guard(lock_);
    if (const pld_sim_buffer* buffer = anywhere(address)) {
      const uint64_t offset = address - reinterpret_cast<uint64_t>(buffer->base);
      return std::string(buffer->name) + " of rank " + std::to_string(buffer->rank) + " + " +
             std::to_string(offset) + " (" + std::to_string(buffer->bytes) + " bytes)";
    }
    for (const auto& [rank, window] : windows_) {
      if (address >= window.base && address - window.base < window.bytes) {
        return "the window of rank " + std::to_string(rank) + " + " +
               std::to_string(address - window.base) + ", outside its buffers";
      }
    }
    return "an address outside every window";
  }

  // Names the cell that a block waits for.
  void cell(const Place& place, pld_sim_waiter& waiter) const {
    std::shared_lock<std::shared_mutex> guard(lock_);
    const uint64_t address = reinterpret_cast<uint64_t>(place.address);
    const pld_sim_buffer* found = anywhere(address);
    if (found == nullptr) return;
    const pld_sim_buffer& buffer = *found;
    const uint64_t index = (address - reinterpret_cast<uint64_t>(buffer.base)) / sizeof(int32_t);
    const uint64_t columns = buffer.columns > 0 ? static_cast<uint64_t>(buffer.columns) : 1;
    waiter.row = static_cast<int32_t>(index / columns);
    waiter.column = static_cast<int32_t>(index % columns);
    waiter.peer = buffer.credits ? waiter.row : -1;
    std::memcpy(waiter.buffer, buffer.name, sizeof waiter.buffer);
  }

 private:
  struct Window {
    uint64_t base;
    uint64_t bytes;
  };

  static bool holds(const pld_sim_buffer& buffer, uint64_t address, uint64_t bytes) {
    const uint64_t base = reinterpret_cast<uint64_t>(buffer.base);
    return address >= base && address - base < buffer.bytes && bytes <= base + buffer.bytes - address;
  }

  const pld_sim_buffer* in_windows(uint64_t address, uint64_t bytes) const {
    auto next = shared_.upper_bound(address);
    if (next == shared_.begin()) return nullptr;
    const pld_sim_buffer& buffer = std::prev(next)->second;
    return holds(buffer, address, bytes) ? &buffer : nullptr;
  }

  const pld_sim_buffer* beside(int32_t rank, uint64_t address, uint64_t bytes) const {
    const auto own = own_.find(rank);
    if (own == own_.end()) return nullptr;
    for (const pld_sim_buffer& buffer : own->second) {
      if (holds(buffer, address, bytes)) return &buffer;
    }
    return nullptr;
  }

  // For reports.
  const pld_sim_buffer* anywhere(uint64_t address) const {
    if (const pld_sim_buffer* buffer = in_windows(address, 1)) return buffer;
    for (const auto& [rank, own] : own_) {
      if (const pld_sim_buffer* buffer = beside(rank, address, 1)) return buffer;
    }
    return nullptr;
  }

  mutable std::shared_mutex lock_;
  std::map<uint64_t, pld_sim_buffer> shared_;
  std::map<int32_t, std::vector<pld_sim_buffer>> own_;
  std::map<int32_t, Window> windows_;
};

}  // namespace pld_sim

#endif
