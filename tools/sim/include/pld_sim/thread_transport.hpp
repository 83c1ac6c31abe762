// All ranks are threads of one process: a window is plain memory.
#ifndef PLD_SIM_THREAD_TRANSPORT_HPP
#define PLD_SIM_THREAD_TRANSPORT_HPP

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "pld_sim/transport.hpp"

namespace pld_sim {

class ThreadTransport final : public Transport {
 public:
  void copy(const Place& to, const Place& from, uint64_t bytes) override {
    std::memmove(to.address, from.address, bytes);
  }

  void complete() override {}

  void add(const Place& cell, int32_t value) override {
    __atomic_fetch_add(static_cast<int32_t*>(cell.address), value, __ATOMIC_ACQ_REL);
  }

  void set(const Place& cell, int32_t value) override {
    __atomic_store_n(static_cast<int32_t*>(cell.address), value, __ATOMIC_RELEASE);
  }

  int32_t load(const Place& cell) override {
    return __atomic_load_n(static_cast<int32_t*>(cell.address), __ATOMIC_ACQUIRE);
  }

  void pause(uint64_t looks) override {
    if (looks < kYields) {
      std::this_thread::yield();
    } else {
      const uint64_t longer = std::min<uint64_t>(1 + (looks - kYields) / 64, 40);
      std::this_thread::sleep_for(std::chrono::microseconds(50 * longer));
    }
  }

 private:
  // More blocks than cores is the rule here: a waiter that only yields takes time from the rest.
  static constexpr uint64_t kYields = 200;
};

}  // namespace pld_sim

#endif
