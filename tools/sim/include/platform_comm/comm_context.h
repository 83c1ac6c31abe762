// The communication context: who this rank is and where every rank's window is.
#ifndef PLD_SIM_COMM_CONTEXT_H
#define PLD_SIM_COMM_CONTEXT_H

#include <cstddef>
#include <cstdint>

constexpr uint32_t COMM_MAX_RANK_NUM = 64;

struct CommContext {
  uint64_t workSpace;
  uint64_t workSpaceSize;
  uint32_t rankId;
  uint32_t rankNum;
  uint64_t winSize;
  uint64_t windowsIn[COMM_MAX_RANK_NUM];
  uint64_t windowsOut[COMM_MAX_RANK_NUM];
};

static_assert(sizeof(CommContext) == 1056, "CommContext is 1056 bytes");
static_assert(offsetof(CommContext, rankId) == 16, "rankId");
static_assert(offsetof(CommContext, rankNum) == 20, "rankNum");
static_assert(offsetof(CommContext, winSize) == 24, "winSize");
static_assert(offsetof(CommContext, windowsIn) == 32, "windowsIn");
static_assert(offsetof(CommContext, windowsOut) == 544, "windowsOut");

#endif
