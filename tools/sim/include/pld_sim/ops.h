// What the simulated operations ask of the engine; engine.cpp answers.
//
// The headers beside this folder translate the kernel's calls into these few functions, so that a
// kernel is compiled without knowing whether threads or processes stand behind them. Every
// function acts for the block that the calling thread runs.
#ifndef PLD_SIM_OPS_H
#define PLD_SIM_OPS_H

#include <cstdint>

extern "C" {

// One contiguous copy of `bytes`; either address may be in a window, of any rank.
// `columns` is what the tile carries at a time and `length` the transfer, both in elements.
void pld_sim_put(void* to, const void* from, uint64_t bytes, int64_t columns, int64_t length);

void pld_sim_notify(int32_t* cell, int32_t value, int32_t add);
void pld_sim_wait(int32_t* cell, int32_t value, int32_t at_least);

void pld_sim_drain();                          // pipe_barrier: the block's transfers are done
void pld_sim_fence();                          // dsb: what was drained is visible to other cores
void pld_sim_invalidate(const volatile void*); // dcci: the next load comes from memory
}

#endif
