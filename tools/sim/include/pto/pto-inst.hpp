// Tiles, global tensors and the core's own instructions, as far as our kernels use them.
#ifndef PLD_SIM_PTO_INST_HPP
#define PLD_SIM_PTO_INST_HPP

#include <cstdint>

#include "pld_sim/ops.h"

// The core's instructions. A card's compiler has them built in.

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL };
enum mem_dsb_t { DSB_ALL, DSB_DDR, DSB_UB };
enum cache_line_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum dcci_dst_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT };

// A barrier of one pipe leaves the others running, so only PIPE_ALL drains.
inline void pipe_barrier(pipe_t pipe) {
  if (pipe == PIPE_ALL) pld_sim_drain();
}

inline void dsb(mem_dsb_t domain) {
  if (domain != DSB_UB) pld_sim_fence();
}

inline void dcci(const volatile void* address, cache_line_t, dcci_dst_t = CACHELINE_ALL) {
  pld_sim_invalidate(address);
}

namespace pto {

constexpr int DYNAMIC = -1;

enum class Layout { ND, DN, NZ };
enum class TileType { Vec, Mat, Left, Right, Acc };
enum class BLayout { RowMajor, ColMajor };

template <int... Extents>
struct Shape {
  static_assert(sizeof...(Extents) == 5, "five dimensions, innermost last");
  int extent[5];
  Shape(int a, int b, int c, int d, int e) : extent{a, b, c, d, e} {}
};

template <int... Steps>
struct Stride {
  static_assert(sizeof...(Steps) == 5, "five dimensions, innermost last");
  int step[5];
  Stride(int a, int b, int c, int d, int e) : step{a, b, c, d, e} {}
};

template <typename T, typename ShapeType, typename StrideType, Layout = Layout::ND>
struct GlobalTensor {
  using DType = T;
  T* pointer;
  ShapeType shape;
  StrideType stride;
  GlobalTensor(T* data, const ShapeType& s, const StrideType& t) : pointer(data), shape(s), stride(t) {}
};

template <TileType, typename T, int Rows, int Columns, BLayout = BLayout::RowMajor,
          int ValidRows = Rows, int ValidColumns = Columns>
struct Tile {
  using DType = T;
  static constexpr int kRows = Rows;
  static constexpr int kColumns = Columns;
  int RowMaskInternal;
  int ColMaskInternal;
  uint64_t local_address = 0;
  Tile(int rows, int columns) : RowMaskInternal(rows), ColMaskInternal(columns) {}
};

template <typename TileData>
inline void TASSIGN(TileData& tile, uint64_t local_address) {
  tile.local_address = local_address;
}

}  // namespace pto

#endif
