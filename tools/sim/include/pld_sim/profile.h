// Which runtime and which card the sources were emitted for; given on the command line.
//
//   -DPLD_SIM_RUNTIME=202608   ChipTensor, PTO2_ERROR_INVALID_ARGS
//   -DPLD_SIM_RUNTIME=202609   Tensor, SIMPLER_ERROR_INVALID_ARGS (the default)
//   -DPLD_SIM_TARGET=910       set_block_num (the default)
//   -DPLD_SIM_TARGET=950       set_core_num
#ifndef PLD_SIM_PROFILE_H
#define PLD_SIM_PROFILE_H

#ifndef PLD_SIM_RUNTIME
#define PLD_SIM_RUNTIME 202609
#endif
#ifndef PLD_SIM_TARGET
#define PLD_SIM_TARGET 910
#endif

#if PLD_SIM_RUNTIME != 202608 && PLD_SIM_RUNTIME != 202609
#error "PLD_SIM_RUNTIME must be 202608 or 202609"
#endif
#if PLD_SIM_TARGET != 910 && PLD_SIM_TARGET != 950
#error "PLD_SIM_TARGET must be 910 or 950"
#endif

#if PLD_SIM_RUNTIME == 202608
#define PLD_SIM_TENSOR ChipTensor
#define PLD_SIM_INVALID_ARGS PTO2_ERROR_INVALID_ARGS
#else
#define PLD_SIM_TENSOR Tensor
#define PLD_SIM_INVALID_ARGS SIMPLER_ERROR_INVALID_ARGS
#endif

#endif
