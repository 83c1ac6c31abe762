// Where a block finds its number and the width of its launch: hidden slots at the arguments' tail.
#ifndef PLD_SIM_INTRINSIC_H
#define PLD_SIM_INTRINSIC_H

#include <cstdint>

constexpr int32_t PLD_SIM_BLOCK_IDX_SLOT = 48;
constexpr int32_t PLD_SIM_BLOCK_NUM_SLOT = 49;
constexpr int32_t PLD_SIM_ARGUMENT_SLOTS = 50;

inline int32_t get_block_idx(const int64_t* args) {
  return static_cast<int32_t>(args[PLD_SIM_BLOCK_IDX_SLOT]);
}

inline int32_t get_block_num(const int64_t* args) {
  return static_cast<int32_t>(args[PLD_SIM_BLOCK_NUM_SLOT]);
}

#endif
