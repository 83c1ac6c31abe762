// Signals: 32-bit counters in a window that ranks add to, set and wait for.
#ifndef PLD_SIM_COMM_TYPES_HPP
#define PLD_SIM_COMM_TYPES_HPP

#include <cstdint>

namespace pto::comm {

enum class NotifyOp { Set, AtomicAdd };
enum class WaitCmp { EQ, GE };

struct Signal {
  int32_t* cell;
  explicit Signal(int32_t* address) : cell(address) {}
};

}  // namespace pto::comm

#endif
