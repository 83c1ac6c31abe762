// The memory that kernels may touch: the buffers of every rank, in its window or beside it.
//
// Ranks make and drop buffers while others run, hence the lock.
#ifndef PLD_SIM_MEMORY_MAP_HPP
#define PLD_SIM_MEMORY_MAP_HPP

#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>

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
    buffers_[reinterpret_cast<uint64_t>(buffer.base)] = buffer;
  }

  void remove(const void* base) {
    std::unique_lock<std::shared_mutex> guard(lock_);
    buffers_.erase(reinterpret_cast<uint64_t>(base));
  }

  // Where `bytes` at `address` are, if one buffer holds them all.
  bool find(const void* address, uint64_t bytes, Place& place) const {
    std::shared_lock<std::shared_mutex> guard(lock_);
    const uint64_t first = reinterpret_cast<uint64_t>(address);
    const pld_sim_buffer* buffer = around(first);
    if (buffer == nullptr) return false;
    const uint64_t room = reinterpret_cast<uint64_t>(buffer->base) + buffer->bytes - first;
    if (bytes > room) return false;
    place.address = const_cast<void*>(address);
    place.rank = buffer->rank;
    place.in_window = buffer->in_window != 0;
    place.offset = place.in_window ? first - windows_.at(buffer->rank).base : 0;
    return true;
  }

  std::string describe(uint64_t address) const {
    std::shared_lock<std::shared_mutex> guard(lock_);
    if (const pld_sim_buffer* buffer = around(address)) {
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
    const pld_sim_buffer* found = around(address);
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

  const pld_sim_buffer* around(uint64_t address) const {
    auto next = buffers_.upper_bound(address);
    if (next == buffers_.begin()) return nullptr;
    const pld_sim_buffer& buffer = std::prev(next)->second;
    return address - reinterpret_cast<uint64_t>(buffer.base) < buffer.bytes ? &buffer : nullptr;
  }

  mutable std::shared_mutex lock_;
  std::map<uint64_t, pld_sim_buffer> buffers_;
  std::map<int32_t, Window> windows_;
};

}  // namespace pld_sim

#endif
