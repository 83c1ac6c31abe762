// The communication instructions: a write to a peer, a notification, a wait.
#ifndef PLD_SIM_PTO_COMM_INST_HPP
#define PLD_SIM_PTO_COMM_INST_HPP

#include <cstdint>
#include <type_traits>

#include "pld_sim/ops.h"
#include "pto/comm/comm_types.hpp"
#include "pto/pto-inst.hpp"

namespace pto::comm {

// Writes `source` to `destination` through the tile, which slides over the innermost dimension:
// one call for any length. The engine holds the tile's valid columns to the length.
template <typename Destination, typename Source, typename TileData>
inline void TPUT(Destination& destination, Source& source, TileData& tile) {
  using T = typename Destination::DType;
  static_assert(std::is_same<T, typename Source::DType>::value, "one element type");
  static_assert(std::is_same<T, typename TileData::DType>::value, "the tile's element type too");
  const auto& shape = destination.shape.extent;
  const auto& to = destination.stride.step;
  const auto& from = source.stride.step;
  const int64_t columns = tile.ColMaskInternal;
  const int64_t length = shape[4];
  for (int64_t a = 0; a < shape[0]; ++a)
    for (int64_t b = 0; b < shape[1]; ++b)
      for (int64_t c = 0; c < shape[2]; ++c)
        for (int64_t d = 0; d < shape[3]; ++d)
          pld_sim_put(destination.pointer + a * to[0] + b * to[1] + c * to[2] + d * to[3],
                      source.pointer + a * from[0] + b * from[1] + c * from[2] + d * from[3],
                      static_cast<uint64_t>(length) * sizeof(T),
                      columns > TileData::kColumns ? -1 : columns, length);
}

// The same atomic whether the cell is a peer's or this rank's own.
inline void TNOTIFY(Signal& signal, int32_t value, NotifyOp op) {
  pld_sim_notify(signal.cell, value, op == NotifyOp::AtomicAdd ? 1 : 0);
}

inline void TWAIT(Signal& signal, int32_t value, WaitCmp compare) {
  pld_sim_wait(signal.cell, value, compare == WaitCmp::GE ? 1 : 0);
}

}  // namespace pto::comm

#endif
