// Ranks are processes: windows are MPI's, a kernel's copies and signals become RMA on them.
//
// A kernel computes a peer's address from its own by what its context says of both. Here the context
// says that the windows of device d begin (d + 1) << 48 above ours: so the low bits of a peer's
// address are the place in our own window, whichever buffer it is in, and no address of a peer is one
// of this process. The place becomes a displacement in an MPI window. Where the peer shares memory with
// us a copy is a copy, and else a put or a get. Signal cells are changed in one way in all of a
// window: by the processor's atomics where all ranks share memory, else by MPI's, our own cells
// included (MPI does not make one atomic with the other).
//
// MPI is called by one thread at a time (MPI_THREAD_SERIALIZED): blocks take a lock. All epochs are
// passive, opened by the host with MPI_Win_lock_all.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>
#include <vector>

#include "pld_sim/transport.hpp"

namespace {

using pld_sim::Place;

constexpr uint64_t kMostAtOnce = uint64_t{1} << 30;  // MPI counts in int

constexpr uint64_t kPlaceBits = (uint64_t{1} << 48) - 1;

struct Window {
  MPI_Win handle;
  uint64_t own;                 // where our memory begins
  uint64_t bytes;
  std::vector<uint64_t> bases;  // by device: where its memory begins here, 0 where it is not mapped
  std::vector<int32_t> ranks;   // by device: its rank in the MPI window
  bool all_mapped;
};

struct Target {
  const Window* window;  // null: memory of this process beside the windows
  int rank;
  MPI_Aint displacement;
  void* mapped;  // null where loads and stores do not reach it
};

class MpiTransport final : public pld_sim::Transport {
 public:
  MpiTransport(MPI_Comm control, int stop_tag) : control_(control), stop_tag_(stop_tag) {}

  void copy(const Place& to, const Place& from, uint64_t bytes) override {
    const Target target = find(to);
    const Target source = find(from);
    if (target.mapped && source.mapped) {
      std::memmove(target.mapped, source.mapped, bytes);
      return;
    }
    char* local = static_cast<char*>(target.mapped ? target.mapped : source.mapped);
    const Target& remote = target.mapped ? source : target;
    std::lock_guard<std::mutex> guard(calls_);
    for (uint64_t done = 0; done < bytes; done += kMostAtOnce) {
      const int count = static_cast<int>(std::min(bytes - done, kMostAtOnce));
      const MPI_Aint at = remote.displacement + static_cast<MPI_Aint>(done);
      if (target.mapped) {
        MPI_Get(local + done, count, MPI_BYTE, remote.rank, at, count, MPI_BYTE, remote.window->handle);
      } else {
        MPI_Put(local + done, count, MPI_BYTE, remote.rank, at, count, MPI_BYTE, remote.window->handle);
      }
    }
    const std::pair<const Window*, int> key{remote.window, remote.rank};
    if (std::find(begun.begin(), begun.end(), key) == begun.end()) begun.push_back(key);
  }

  void complete() override {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (begun.empty()) return;
    std::lock_guard<std::mutex> guard(calls_);
    for (const auto& [window, rank] : begun) MPI_Win_flush(rank, window->handle);
    begun.clear();
  }

  void add(const Place& cell, int32_t value) override {
    const Target target = find(cell);
    if (target.window == nullptr || target.window->all_mapped) {
      __atomic_fetch_add(static_cast<int32_t*>(target.mapped), value, __ATOMIC_ACQ_REL);
    } else {
      accumulate(target, value, MPI_SUM);
    }
  }

  void set(const Place& cell, int32_t value) override {
    const Target target = find(cell);
    if (target.window == nullptr || target.window->all_mapped) {
      __atomic_store_n(static_cast<int32_t*>(target.mapped), value, __ATOMIC_RELEASE);
    } else {
      accumulate(target, value, MPI_REPLACE);
    }
  }

  // Our own cells are loaded as memory: all windows are of the unified model, a load sees a peer's
  // accumulate after a synchronization.
  int32_t load(const Place& cell) override {
    const Target target = find(cell);
    if (target.window != nullptr && !target.window->all_mapped) {
      std::lock_guard<std::mutex> guard(calls_);
      if (!target.mapped) {
        int32_t value = 0;
        const int32_t unused = 0;
        MPI_Fetch_and_op(&unused, &value, MPI_INT32_T, target.rank, target.displacement, MPI_NO_OP,
                         target.window->handle);
        MPI_Win_flush(target.rank, target.window->handle);
        return value;
      }
      MPI_Win_sync(target.window->handle);
    }
    return __atomic_load_n(static_cast<int32_t*>(target.mapped), __ATOMIC_ACQUIRE);
  }

  // A waiter yields, then sleeps, longer and longer: there may be more ranks than cores. Between, it
  // has MPI make progress, which is also how it hears that another rank ends the job.
  void pause(uint64_t looks) override {
    constexpr uint64_t kYields = 200;
    constexpr uint64_t kLooksAtMost = 64;
    if (looks % (remote_ ? 1 : kLooksAtMost) == 0 || looks > kYields) progress();
    if (looks < kYields) {
      std::this_thread::yield();
    } else {
      const uint64_t microseconds = std::min<uint64_t>(50 * (1 + looks / 1024), 1000);
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    }
  }

  bool abandoned() override { return abandoned_.load(std::memory_order_relaxed); }

  void forget_abandoned() { abandoned_.store(false, std::memory_order_relaxed); }

  void add_window(std::unique_ptr<Window> window) {
    std::unique_lock<std::shared_mutex> guard(table_);
    remote_ = remote_ || !window->all_mapped;
    windows_.push_back(std::move(window));
  }

 private:
  void progress() {
    int flag = 0;
    std::lock_guard<std::mutex> guard(calls_);
    MPI_Iprobe(MPI_ANY_SOURCE, stop_tag_, control_, &flag, MPI_STATUS_IGNORE);
    if (flag) abandoned_.store(true, std::memory_order_relaxed);
  }

  void accumulate(const Target& target, int32_t value, MPI_Op op) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::lock_guard<std::mutex> guard(calls_);
    MPI_Win_sync(target.window->handle);
    MPI_Accumulate(&value, 1, MPI_INT32_T, target.rank, target.displacement, 1, MPI_INT32_T, op,
                   target.window->handle);
    MPI_Win_flush(target.rank, target.window->handle);
  }

  Target find(const Place& place) {
    if (!place.in_window) return {nullptr, 0, 0, place.address};
    const uint64_t address = reinterpret_cast<uint64_t>(place.address) & kPlaceBits;
    std::shared_lock<std::shared_mutex> guard(table_);
    for (const auto& window : windows_) {
      if (address < window->own || address - window->own >= window->bytes) continue;
      const uint64_t offset = address - window->own;
      const auto device = static_cast<size_t>(place.rank);
      const uint64_t base = window->bases[device];
      void* mapped = base == 0 ? nullptr : reinterpret_cast<void*>(base + offset);
      return {window.get(), window->ranks[device], static_cast<MPI_Aint>(offset), mapped};
    }
    return {nullptr, 0, 0, place.address};
  }

  // The copies that this thread began, by window and rank.
  static thread_local std::vector<std::pair<const Window*, int>> begun;

  const MPI_Comm control_;
  const int stop_tag_;
  std::mutex calls_;
  std::shared_mutex table_;
  std::vector<std::unique_ptr<Window>> windows_;
  std::atomic<bool> remote_{false};
  std::atomic<bool> abandoned_{false};
};

thread_local std::vector<std::pair<const Window*, int>> MpiTransport::begun;

// The place on a device that corresponds to one in our window.
Place place_on(int32_t device, void* own) { return {own, device, true, 0}; }

}  // namespace

// Handles come as Fortran integers, which mean the same in every binding of one MPI.

extern "C" void* pld_mpi_open(int control, int stop_tag) {
  return static_cast<pld_sim::Transport*>(new MpiTransport(MPI_Comm_f2c(control), stop_tag));
}

extern "C" void pld_mpi_close(void* transport) { delete static_cast<pld_sim::Transport*>(transport); }

// `bases` and `ranks` are by device; a device that is not of the window's has rank -1.
extern "C" void pld_mpi_add_window(void* transport, int window, int32_t devices, int32_t me,
                                   const uint64_t* bases, const int32_t* ranks, uint64_t bytes) {
  auto made = std::make_unique<Window>();
  made->handle = MPI_Win_f2c(window);
  made->own = bases[me];
  made->bytes = bytes;
  made->bases.assign(bases, bases + devices);
  made->ranks.assign(ranks, ranks + devices);
  made->all_mapped = true;
  for (int32_t device = 0; device < devices; ++device) {
    if (ranks[device] >= 0 && bases[device] == 0) made->all_mapped = false;
  }
  static_cast<MpiTransport*>(static_cast<pld_sim::Transport*>(transport))->add_window(std::move(made));
}

// What the interpreter does to cells and memory, by the same means as kernels.

extern "C" void pld_mpi_add(void* transport, int32_t device, int32_t* cells, const int32_t* values,
                            uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    static_cast<pld_sim::Transport*>(transport)->add(place_on(device, cells + i), values[i]);
  }
}

extern "C" void pld_mpi_set(void* transport, int32_t device, void* cell, int32_t value) {
  static_cast<pld_sim::Transport*>(transport)->set(place_on(device, cell), value);
}

// Whether a launch ended because another rank ends the job; asked once.
extern "C" int32_t pld_mpi_abandoned(void* transport) {
  auto* mpi = static_cast<MpiTransport*>(static_cast<pld_sim::Transport*>(transport));
  const bool abandoned = mpi->abandoned();
  mpi->forget_abandoned();
  return abandoned ? 1 : 0;
}
