// What an emitted orchestration uses of the runtime, over the table of pld_sim/orchestration.h.
//
// `pld_sim_bind_runtime` gives the table to the orchestration that the thread runs next. After a fatal report every
// later call does nothing.
#ifndef PLD_SIM_PTO_ORCHESTRATION_API_H
#define PLD_SIM_PTO_ORCHESTRATION_API_H

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <initializer_list>

#include "pld_sim/orchestration.h"
#include "pld_sim/profile.h"
#include "tensor.h"

enum : int32_t { PLD_SIM_INVALID_ARGS = 5 };

constexpr uint32_t PLD_SIM_MAX_TASK_TENSORS = 32;
constexpr uint32_t PLD_SIM_MAX_TASK_SCALARS = 16;

namespace pld_sim {

// A rank's orchestration runs in a thread of its own.
inline thread_local const pld_sim_runtime* runtime = nullptr;
inline thread_local bool failed = false;

}  // namespace pld_sim

extern "C" __attribute__((visibility("default"), used)) inline void pld_sim_bind_runtime(
    const pld_sim_runtime* table) {
  pld_sim::runtime = table;
  pld_sim::failed = false;
}

__attribute__((format(printf, 2, 3))) inline void rt_report_fatal(int32_t code, const char* format,
                                                                  ...) {
  if (pld_sim::failed) return;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  pld_sim::failed = true;
  pld_sim::runtime->fatal(code, text);
}

// The orchestration's own arguments.

class TensorArgument {
 public:
  explicit TensorArgument(const PLD_SIM_TENSOR* tensor) : tensor_(tensor) {}
  const PLD_SIM_TENSOR& ref() const { return *tensor_; }

 private:
  const PLD_SIM_TENSOR* tensor_;
};

class ChipTaskArgs {
 public:
  TensorArgument tensor(int32_t i) const { return TensorArgument(tensors_[i]); }
  uint64_t scalar(int32_t i) const { return scalars_[i]; }
  int32_t tensor_count() const { return static_cast<int32_t>(tensor_count_); }
  int32_t scalar_count() const { return static_cast<int32_t>(scalar_count_); }

 private:
  // The host builds one of these: two arrays and their lengths.
  const PLD_SIM_TENSOR* const* tensors_;
  const uint64_t* scalars_;
  uint64_t tensor_count_;
  uint64_t scalar_count_;
};

struct PTO2OrchestrationConfig {
  int32_t expected_arg_count;
};

// Tasks.

struct PTO2TaskId {
  uint64_t value;
};

class TensorCreateInfo {
 public:
  TensorCreateInfo(const uint32_t* shapes, uint32_t ndims, DataType dtype) : tensor_{} {
    tensor_.ndims = ndims;
    tensor_.dtype = dtype;
    tensor_.is_contiguous = true;
    uint32_t stride = 1;
    for (uint32_t i = ndims; i-- > 0;) {
      tensor_.shapes[i] = shapes[i];
      tensor_.strides[i] = stride;
      stride *= shapes[i];
    }
  }
  const PLD_SIM_TENSOR& described() const { return tensor_; }

 private:
  PLD_SIM_TENSOR tensor_;
};

class LaunchSpec {
 public:
#if PLD_SIM_TARGET == 910
  void set_block_num(int16_t blocks) { blocks_ = blocks; }
#else
  void set_core_num(int16_t blocks) { blocks_ = blocks; }
#endif
  void set_require_sync_start(bool required) { sync_start_ = required; }
  int16_t blocks() const { return blocks_; }
  bool sync_start() const { return sync_start_; }

 private:
  int16_t blocks_ = 1;
  bool sync_start_ = false;
};

// The outputs that the runtime allocated for a task; references are into this object.
class TaskOutputTensors {
 public:
  PTO2TaskId task_id() const { return id_; }
  const PLD_SIM_TENSOR& get_ref(uint32_t i) const& { return outputs_[i]; }
  const PLD_SIM_TENSOR& get_ref(uint32_t i) const&& = delete;

  PLD_SIM_TENSOR* add(const PLD_SIM_TENSOR& described) {
    outputs_[count_] = described;
    return &outputs_[count_++];
  }
  void set_task_id(uint64_t id) { id_.value = id; }

 private:
  PTO2TaskId id_{0};
  uint32_t count_ = 0;
  PLD_SIM_TENSOR outputs_[PLD_SIM_MAX_TASK_TENSORS] = {};
};

class CoreTaskArgs {
 public:
  LaunchSpec launch_spec;

  // Arguments keep pointers, so a temporary is refused.
  void add_input(const PLD_SIM_TENSOR& tensor) { add(tensor, PLD_SIM_INPUT); }
  void add_output(const PLD_SIM_TENSOR& tensor) { add(tensor, PLD_SIM_OUTPUT); }
  void add_inout(const PLD_SIM_TENSOR& tensor) { add(tensor, PLD_SIM_INOUT); }
  void add_no_dep(const PLD_SIM_TENSOR& tensor) { add(tensor, PLD_SIM_NO_DEP); }
  void add_output(const TensorCreateInfo& info) { add(info.described(), PLD_SIM_ALLOCATED); }
  void add_input(PLD_SIM_TENSOR&&) = delete;
  void add_output(PLD_SIM_TENSOR&&) = delete;
  void add_inout(PLD_SIM_TENSOR&&) = delete;
  void add_no_dep(PLD_SIM_TENSOR&&) = delete;
  void add_output(TensorCreateInfo&&) = delete;

  void add_scalar(uint64_t value) {
    if (scalar_count_ == PLD_SIM_MAX_TASK_SCALARS) {
      return rt_report_fatal(PLD_SIM_INVALID_ARGS, "a task takes at most %u scalars",
                             PLD_SIM_MAX_TASK_SCALARS);
    }
    scalars_[scalar_count_++] = value;
  }

  void set_dependencies(const PTO2TaskId* ids, uint32_t count) {
    if (dependencies_ != nullptr) {
      return rt_report_fatal(PLD_SIM_INVALID_ARGS, "dependencies are set twice");
    }
    dependencies_ = ids;
    dependency_count_ = count;
  }

  TaskOutputTensors submit(int32_t kind, int32_t first, int32_t second, int32_t third) const {
    TaskOutputTensors outputs;
    if (pld_sim::failed) return outputs;
    pld_sim_argument tensors[PLD_SIM_MAX_TASK_TENSORS];
    for (uint32_t i = 0; i < tensor_count_; ++i) {
      tensors[i] = tensors_[i];
      if (tensors[i].direction != PLD_SIM_ALLOCATED) continue;
      tensors[i].tensor = outputs.add(*static_cast<const PLD_SIM_TENSOR*>(tensors[i].tensor));
      pld_sim::runtime->allocate(tensors[i].tensor);
    }
    static_assert(sizeof(PTO2TaskId) == sizeof(uint64_t), "ids go out as numbers");
    pld_sim_task task{};
    task.kind = kind;
    task.func_ids[0] = first;
    task.func_ids[1] = second;
    task.func_ids[2] = third;
    task.tensor_count = tensor_count_;
    task.scalar_count = scalar_count_;
    task.tensors = tensors;
    task.scalars = scalars_;
    task.dependencies = reinterpret_cast<const uint64_t*>(dependencies_);
    task.dependency_count = dependency_count_;
    task.blocks = launch_spec.blocks();
    task.sync_start = launch_spec.sync_start() ? 1 : 0;
    task.scalar_before_tensor = scalar_before_tensor_ ? 1 : 0;
    outputs.set_task_id(pld_sim::runtime->submit(&task));
    return outputs;
  }

 private:
  void add(const PLD_SIM_TENSOR& tensor, int32_t direction) {
    if (tensor_count_ == PLD_SIM_MAX_TASK_TENSORS) {
      return rt_report_fatal(PLD_SIM_INVALID_ARGS, "a task takes at most %u tensors",
                             PLD_SIM_MAX_TASK_TENSORS);
    }
    if (scalar_count_ > 0) scalar_before_tensor_ = true;
    tensors_[tensor_count_++] = {const_cast<PLD_SIM_TENSOR*>(&tensor), direction, 0};
  }

  pld_sim_argument tensors_[PLD_SIM_MAX_TASK_TENSORS] = {};
  uint64_t scalars_[PLD_SIM_MAX_TASK_SCALARS] = {};
  uint32_t tensor_count_ = 0;
  uint32_t scalar_count_ = 0;
  const PTO2TaskId* dependencies_ = nullptr;
  uint32_t dependency_count_ = 0;
  bool scalar_before_tensor_ = false;
};

struct MixedKernels {
  int32_t aic_kernel_id = -1;
  int32_t aiv0_kernel_id = -1;
  int32_t aiv1_kernel_id = -1;
};

inline TaskOutputTensors rt_submit_aiv_task(int32_t func_id, const CoreTaskArgs& task) {
  return task.submit(PLD_SIM_AIV, func_id, -1, -1);
}

inline TaskOutputTensors rt_submit_aic_task(int32_t func_id, const CoreTaskArgs& task) {
  return task.submit(PLD_SIM_AIC, func_id, -1, -1);
}

inline TaskOutputTensors rt_submit_task(const MixedKernels& kernels, const CoreTaskArgs& task) {
  return task.submit(PLD_SIM_MIXED, kernels.aic_kernel_id, kernels.aiv0_kernel_id,
                     kernels.aiv1_kernel_id);
}

inline TaskOutputTensors rt_submit_dummy_task(const CoreTaskArgs& task) {
  return task.submit(PLD_SIM_DUMMY, -1, -1, -1);
}

template <typename... Infos>
inline TaskOutputTensors alloc_tensors(const Infos&... infos) {
  TaskOutputTensors outputs;
  if (pld_sim::failed) return outputs;
  for (const TensorCreateInfo* info : std::initializer_list<const TensorCreateInfo*>{&infos...}) {
    pld_sim::runtime->allocate(outputs.add(info->described()));
  }
  return outputs;
}

// Scalars in memory.

namespace pld_sim {

template <typename T>
inline T* element(const PLD_SIM_TENSOR& tensor, uint32_t count, const uint32_t* indices) {
  uint64_t at = tensor.start_offset;
  for (uint32_t i = 0; i < count; ++i) at += static_cast<uint64_t>(indices[i]) * tensor.strides[i];
  return reinterpret_cast<T*>(tensor.buffer.addr) + at;
}

class Scope {
 public:
  Scope() {
    if (!failed) runtime->scope(1);
  }
  ~Scope() {
    if (!failed) runtime->scope(0);
  }
};

}  // namespace pld_sim

template <typename T>
inline T get_tensor_data(const PLD_SIM_TENSOR& tensor, uint32_t count, const uint32_t* indices) {
  return pld_sim::failed ? T{} : *pld_sim::element<T>(tensor, count, indices);
}

template <typename T>
inline void set_tensor_data(const PLD_SIM_TENSOR& tensor, uint32_t count, const uint32_t* indices,
                            T value) {
  if (!pld_sim::failed) *pld_sim::element<T>(tensor, count, indices) = value;
}

#define PTO2_SCOPE() if (::pld_sim::Scope pld_sim_scope; true)

#endif
