// Runs a kernel under ThreadSanitizer: three ranks, rounds back to back on one signal.
//
// The engine's own order checks are off, so nothing but the kernel's signals orders its accesses.
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "pld_sim/api.h"
#include "tensor.h"

extern "C" void kernel_entry(int64_t* args);

namespace {

constexpr int kRanks = 3, kBlocks = 6, kCapacity = 4, kWidth = 33, kRounds = 20;
constexpr uint64_t kTarget = 0, kSignal = 4096, kCounts = 8192, kWindow = 12288;

struct Rank {
  alignas(64) unsigned char window[kWindow] = {};
  float input[kRanks * kCapacity * kWidth] = {};
  int32_t counts[kRanks] = {};
};

Tensor describe(void* data, uint32_t rows, uint32_t columns) {
  Tensor tensor{};
  tensor.buffer = {reinterpret_cast<uint64_t>(data), rows * columns * 4UL};
  tensor.ndims = 2;
  tensor.is_contiguous = true;
  tensor.shapes[0] = rows;
  tensor.shapes[1] = columns;
  tensor.strides[0] = columns;
  tensor.strides[1] = 1;
  return tensor;
}

void add(pld_sim_session* session, const char* name, int rank, void* base, uint64_t bytes, bool window) {
  pld_sim_buffer buffer{};
  buffer.base = base;
  buffer.bytes = bytes;
  buffer.rank = rank;
  buffer.in_window = window;
  std::strncpy(buffer.name, name, sizeof buffer.name - 1);
  pld_sim_add_buffer(session, &buffer);
}

float value(int round, int source, int row, int column) {
  return static_cast<float>(round * 7 + source * 1000 + row * 50 + column);
}

int count(int round, int source, int target) { return (round + source * 2 + target) % (kCapacity + 2); }

int wrong(const Rank& rank, int me, int round) {
  const float* target = reinterpret_cast<const float*>(rank.window + kTarget);
  const int32_t* received = reinterpret_cast<const int32_t*>(rank.window + kCounts);
  int errors = 0;
  for (int source = 0; source < kRanks; ++source) {
    const int rows = count(round, source, me) < kCapacity ? count(round, source, me) : kCapacity;
    errors += received[source] != rows;
    for (int i = 0; i < kCapacity * kWidth; ++i) {
      const float expected =
          i / kWidth < rows ? value(round, source, me * kCapacity + i / kWidth, i % kWidth) : -1.0F;
      errors += target[source * kCapacity * kWidth + i] != expected;
    }
  }
  return errors;
}

}  // namespace

int main() {
  std::vector<Rank> ranks(kRanks);
  pld_sim_config config{};
  config.ranks = kRanks;
  config.max_blocks = kBlocks;
  config.wait_limit_ns = 60'000'000'000;
  pld_sim_session* session = pld_sim_open(&config);
  const uint64_t payload = kRanks * kCapacity * kWidth * 4;
  for (int r = 0; r < kRanks; ++r) {
    pld_sim_set_window(session, r, ranks[r].window, kWindow);
    add(session, "target", r, ranks[r].window + kTarget, payload, true);
    add(session, "signal", r, ranks[r].window + kSignal, kRanks * kBlocks * 4, true);
    add(session, "recv_counts", r, ranks[r].window + kCounts, kRanks * 4, true);
    add(session, "input", r, ranks[r].input, payload, false);
    add(session, "send_counts", r, ranks[r].counts, kRanks * 4, false);
  }
  std::vector<int> errors(kRanks);
  std::vector<std::thread> threads;
  for (int r = 0; r < kRanks; ++r) {
    threads.emplace_back([&, r] {
      Rank& rank = ranks[r];
      Tensor tensors[] = {
          describe(rank.input, kRanks * kCapacity, kWidth),
          describe(rank.window + kTarget, kRanks * kCapacity, kWidth),
          describe(rank.window + kSignal, kRanks, kBlocks),
          describe(rank.counts, kRanks, 1),
          describe(rank.window + kCounts, kRanks, 1),
      };
      int64_t args[6];
      for (int i = 0; i < 5; ++i) args[i] = reinterpret_cast<int64_t>(&tensors[i]);
      args[5] = reinterpret_cast<int64_t>(pld_sim_context(session, r));
      for (int round = 0; round < kRounds; ++round) {
        for (int i = 0; i < kRanks * kCapacity * kWidth; ++i) {
          rank.input[i] = value(round, r, i / kWidth, i % kWidth);
          reinterpret_cast<float*>(rank.window + kTarget)[i] = -1.0F;
        }
        for (int target = 0; target < kRanks; ++target) rank.counts[target] = count(round, r, target);
        pld_sim_launch(session, r, kernel_entry, args, 6, kBlocks);
        errors[r] += wrong(rank, r, round);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const uint64_t findings = pld_sim_findings(session, nullptr, 0);
  pld_sim_close(session);
  int sum = 0;
  for (int each : errors) sum += each;
  std::printf("%d wrong, %d findings\n", sum, static_cast<int>(findings));
  return sum != 0 || findings != 0;
}
