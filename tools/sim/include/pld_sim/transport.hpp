// What moves bytes and counts signals; all that differs between threads and processes.
//
// The engine resolves every address to a place before it gets here, so a transport over processes
// can turn a place in a window into a rank and an offset.
#ifndef PLD_SIM_TRANSPORT_HPP
#define PLD_SIM_TRANSPORT_HPP

#include <cstdint>

namespace pld_sim {

struct Place {
  void* address;
  int32_t rank;
  bool in_window;
  uint64_t offset;  // in the window
};

class Transport {
 public:
  virtual ~Transport() = default;

  // At most one of the two is a peer's.
  virtual void copy(const Place& to, const Place& from, uint64_t bytes) = 0;
  // Returns when every copy that this thread began is done at its destination.
  virtual void complete() = 0;

  // Atomic on the cell, and ordered after the thread's completed copies.
  virtual void add(const Place& cell, int32_t value) = 0;
  virtual void set(const Place& cell, int32_t value) = 0;
  virtual int32_t load(const Place& cell) = 0;

  // Between two looks at a cell: lets others run.
  virtual void pause(uint64_t looks) = 0;
  // Whether another process ends the job, so that a wait is in vain.
  virtual bool abandoned() { return false; }
};

}  // namespace pld_sim

#endif
