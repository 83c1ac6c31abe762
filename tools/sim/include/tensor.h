// The tensor descriptor that orchestration and kernels share: 128 bytes, aligned to 64.
#ifndef PLD_SIM_TENSOR_H
#define PLD_SIM_TENSOR_H

#include <cstddef>
#include <cstdint>

#include "pld_sim/profile.h"

constexpr uint32_t MAX_TENSOR_DIMS = 5;

enum class DataType : uint8_t {
  FLOAT32 = 0,
  FLOAT16 = 1,
  INT32 = 2,
  INT16 = 3,
  INT8 = 4,
  UINT8 = 5,
  BFLOAT16 = 6,
  INT64 = 7,
};

struct PTOBufferHandle {
  uint64_t addr;
  uint64_t size;
};

struct alignas(64) PLD_SIM_TENSOR {
  PTOBufferHandle buffer;
  uint64_t reserved_owner;
  uint64_t start_offset;  // in elements
  int32_t reserved_version;
  uint32_t ndims;
  DataType dtype;
  uint8_t reserved_flag;
  bool is_contiguous;
  uint8_t reserved_padding;
  uint32_t shapes[MAX_TENSOR_DIMS];
  uint32_t reserved_gap[2];
  uint32_t strides[MAX_TENSOR_DIMS];

  // Views of the same buffer, by value; the caller names them so that they outlive a submit.

  PLD_SIM_TENSOR view(const uint32_t* view_shapes, const uint32_t* offsets) const {
    PLD_SIM_TENSOR result = *this;
    for (uint32_t i = 0; i < ndims; ++i) {
      result.start_offset += static_cast<uint64_t>(offsets[i]) * strides[i];
      result.shapes[i] = view_shapes[i];
    }
    result.is_contiguous = result.packed();
    return result;
  }

  PLD_SIM_TENSOR reshape(const uint32_t* new_shapes, uint32_t new_ndims) const {
    PLD_SIM_TENSOR result = *this;
    result.ndims = new_ndims;
    uint32_t stride = 1;
    for (uint32_t i = new_ndims; i-- > 0;) {
      result.shapes[i] = new_shapes[i];
      result.strides[i] = stride;
      stride *= new_shapes[i];
    }
    return result;
  }

  PLD_SIM_TENSOR transpose(uint32_t x, uint32_t y) const {
    PLD_SIM_TENSOR result = *this;
    result.shapes[x] = shapes[y];
    result.shapes[y] = shapes[x];
    result.strides[x] = strides[y];
    result.strides[y] = strides[x];
    result.is_contiguous = result.packed();
    return result;
  }

 private:
  bool packed() const {
    uint64_t stride = 1;
    for (uint32_t i = ndims; i-- > 0;) {
      if (shapes[i] != 1 && strides[i] != stride) return false;
      stride *= shapes[i];
    }
    return true;
  }
};

static_assert(sizeof(PLD_SIM_TENSOR) == 128, "the descriptor is 128 bytes");
static_assert(alignof(PLD_SIM_TENSOR) == 64, "the descriptor is aligned to 64");
static_assert(offsetof(PLD_SIM_TENSOR, buffer) == 0, "buffer");
static_assert(offsetof(PTOBufferHandle, addr) == 0, "buffer.addr");
static_assert(offsetof(PTOBufferHandle, size) == 8, "buffer.size");
static_assert(offsetof(PLD_SIM_TENSOR, start_offset) == 24, "start_offset");
static_assert(offsetof(PLD_SIM_TENSOR, ndims) == 36, "ndims");
static_assert(offsetof(PLD_SIM_TENSOR, dtype) == 40, "dtype");
static_assert(offsetof(PLD_SIM_TENSOR, is_contiguous) == 42, "is_contiguous");
static_assert(offsetof(PLD_SIM_TENSOR, shapes) == 44, "shapes");
static_assert(offsetof(PLD_SIM_TENSOR, strides) == 72, "strides");

#endif
