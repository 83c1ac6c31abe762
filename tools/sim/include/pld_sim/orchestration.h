// What a simulated orchestration asks of its runtime: a table of functions that the host gives.
#ifndef PLD_SIM_ORCHESTRATION_H
#define PLD_SIM_ORCHESTRATION_H

#include <cstdint>

enum pld_sim_task_kind { PLD_SIM_AIV = 0, PLD_SIM_AIC = 1, PLD_SIM_MIXED = 2, PLD_SIM_DUMMY = 3 };

enum pld_sim_direction {
  PLD_SIM_INPUT = 0,
  PLD_SIM_OUTPUT = 1,  // into an existing tensor
  PLD_SIM_INOUT = 2,
  PLD_SIM_NO_DEP = 3,
  PLD_SIM_ALLOCATED = 4,  // an output that the runtime allocates: `tensor` receives it
};

struct pld_sim_argument {
  void* tensor;
  int32_t direction;
  int32_t reserved;
};

struct pld_sim_task {
  int32_t kind;
  int32_t func_ids[3];  // aic, aiv0, aiv1 of a mixed task, else the first
  uint32_t tensor_count;
  uint32_t scalar_count;
  const pld_sim_argument* tensors;
  const uint64_t* scalars;
  const uint64_t* dependencies;
  uint32_t dependency_count;
  int16_t blocks;
  int16_t sync_start;
  int32_t scalar_before_tensor;  // an error of the task
};

struct pld_sim_runtime {
  uint64_t (*submit)(const pld_sim_task* task);  // returns the task's id
  void (*fatal)(int32_t code, const char* text);
  void (*scope)(int32_t enters);
  void (*allocate)(void* tensor);
};

#endif
