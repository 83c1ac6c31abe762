// The engine: sessions, the operations of blocks, and what the host asks of both.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "intrinsic.h"
#include "pld_sim/api.h"
#include "pld_sim/memory_map.hpp"
#include "pld_sim/ops.h"
#include "pld_sim/ordering.hpp"
#include "pld_sim/thread_transport.hpp"
#include "pld_sim/workers.hpp"
#include "platform_comm/comm_context.h"

namespace {

using pld_sim::Clash;
using pld_sim::Clock;
using pld_sim::Conflict;
using pld_sim::MemoryMap;
using pld_sim::Ordering;
using pld_sim::Place;
using pld_sim::ThreadTransport;
using pld_sim::Transport;
using pld_sim::Workers;
using Nanoseconds = std::chrono::nanoseconds;
using Time = std::chrono::steady_clock;

constexpr size_t kMostFindings = 64;

struct Agent {
  pld_sim_session* session = nullptr;
  int32_t rank = 0;
  int32_t block = -1;  // -1: the host
  Clock clock;
  pld_sim_counters counters{};
  bool in_barrier = false;
  // A block: from its launch to its end. A host: until it has left. Under the session's lock.
  std::atomic<bool> active{false};
  // What it waits for, valid while `waiting`; under the session's lock.
  std::atomic<bool> waiting{false};
  Place cell{};
  int32_t expected = 0;
  bool at_least = false;
  std::vector<pld_sim_span> spans;
};

// The launches of a rank, one at a time.
struct Launch {
  std::mutex lock;
  std::condition_variable ended;
  bool over = true;  // under the lock
  bool told = true;  // whether the host knows that it is over; under the lock
  int32_t blocks = 0;
  std::atomic<int32_t> running{0};
  std::vector<pld_sim_span> spans;
  Workers workers;
};

uint64_t since_epoch(Time::time_point time) {
  return static_cast<uint64_t>(std::chrono::duration_cast<Nanoseconds>(time.time_since_epoch()).count());
}

// The block that this thread runs.
thread_local Agent* current = nullptr;

}  // namespace

struct pld_sim_session {
  explicit pld_sim_session(const pld_sim_config& given)
      : config(given),
        by_rank(given.ranks),
        contexts(given.ranks),
        counters(given.ranks),
        launches(given.ranks) {
    for (int32_t rank = 0; rank < config.ranks; ++rank) {
      add_agent(rank, -1).active = true;
      contexts[rank].rankId = static_cast<uint32_t>(rank);
      contexts[rank].rankNum = static_cast<uint32_t>(config.ranks);
    }
    program = &add_agent(PLD_SIM_PROGRAM, -1);
  }

  // Blocks come with the first launch that has them.
  Agent& add_agent(int32_t rank, int32_t block) {
    Agent& agent = agents.emplace_back();
    agent.session = this;
    agent.rank = rank;
    agent.block = block;
    agent.clock.id = static_cast<int32_t>(agents.size()) - 1;
    agent.clock.rank = rank;
    order.add_agent(rank);
    if (rank >= 0) by_rank[rank].push_back(&agent);
    return agent;
  }

  Agent& host(int32_t rank) { return rank == PLD_SIM_PROGRAM ? *program : *by_rank[rank][0]; }

  Agent& block(int32_t rank, int32_t number) { return *by_rank[rank][number + 1]; }

  // The lock where order is checked. Without checks nothing but the kernel's own signals may order
  // its accesses, or ThreadSanitizer would see no race: a lock in common orders too.
  std::unique_lock<std::mutex> checking() {
    return config.check_order ? std::unique_lock<std::mutex>(lock) : std::unique_lock<std::mutex>();
  }

  static void set(std::atomic<bool>& flag, bool value) {
    flag.store(value, std::memory_order_relaxed);
  }

  static bool is(const std::atomic<bool>& flag) { return flag.load(std::memory_order_relaxed); }

  // All below with the lock held.

  __attribute__((format(printf, 4, 5))) void report(int32_t kind, const Agent& by,
                                                    const char* format, ...) {
    ++finding_count;
    if (findings.size() >= kMostFindings) return;
    pld_sim_finding finding{};
    finding.kind = kind;
    finding.rank = by.rank;
    finding.block = by.block;
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(finding.text, sizeof finding.text, format, arguments);
    va_end(arguments);
    findings.push_back(finding);
  }

  static std::string name(const Agent& agent) {
    if (agent.rank == PLD_SIM_PROGRAM) return "the host body";
    const std::string rank = "rank " + std::to_string(agent.rank);
    return agent.block < 0 ? rank + "'s pipeline" : rank + " block " + std::to_string(agent.block);
  }

  void report(const Conflict& conflict, const Agent& by) {
    if (conflict.clash == Clash::none) return;
    const std::string where = memory.describe(conflict.address);
    const std::string other = name(agents[conflict.other]);
    const std::string self = name(by);
    switch (conflict.clash) {
      case Clash::none:
        return;
      case Clash::write_unseen:
        return report(PLD_SIM_UNORDERED, by,
                      "%s uses %s, which %s wrote: no drain, fence and notification between",
                      self.c_str(), where.c_str(), other.c_str());
      case Clash::read_unseen:
        return report(PLD_SIM_UNORDERED, by, "%s writes %s, which %s may still be reading",
                      self.c_str(), where.c_str(), other.c_str());
      case Clash::shared_line:
        return report(PLD_SIM_SHARED_LINE, by,
                      "%s writes into the line of %s, into which %s writes too", self.c_str(),
                      where.c_str(), other.c_str());
      case Clash::set_unseen:
        return report(PLD_SIM_LOST_UPDATE, by,
                      "%s adds to %s, which %s sets: the addition may be lost", self.c_str(),
                      where.c_str(), other.c_str());
      case Clash::add_unseen:
        return report(PLD_SIM_LOST_UPDATE, by,
                      "%s sets %s, to which %s adds: the addition may be lost", self.c_str(),
                      where.c_str(), other.c_str());
      case Clash::own_unpublished:
        return report(PLD_SIM_UNORDERED, by,
                      "%s reloads %s, which it wrote itself: no drain and fence between",
                      self.c_str(), where.c_str());
    }
  }

  // No block can go on, and no host is at work: nothing will ever change. A host is at work unless
  // it has left or waits for the end of blocks.
  bool nobody_moves() {
    for (int32_t rank = 0; rank < config.ranks; ++rank) {
      bool launched = false;
      for (size_t block = 1; block < by_rank[rank].size(); ++block) {
        const Agent& each = *by_rank[rank][block];
        if (!is(each.active)) continue;
        launched = true;
        if (!is(each.waiting) || reached(each)) return false;
      }
      if (!launched && is(host(rank).active)) return false;
    }
    return true;
  }

  bool reached(const Agent& agent) {
    const int32_t actual = transport->load(agent.cell);
    return agent.at_least ? actual >= agent.expected : actual == agent.expected;
  }

  void report_deadlock(const Agent& by, const std::string& reason) {
    if (stopped()) return;
    note_waiters();
    report(PLD_SIM_DEADLOCK, by, "%s; %zu blocks wait", reason.c_str(), waiters.size());
    stop();
  }

  // Another process ends the job: what is waited for is told, but it is no finding here.
  void abandon() {
    if (stopped()) return;
    note_waiters();
    stop();
  }

  void stop() { __atomic_store_n(&stopped_, true, __ATOMIC_RELEASE); }

  void note_waiters() {
    for (const Agent& agent : agents) {
      if (!is(agent.waiting)) continue;
      pld_sim_waiter waiter{};
      waiter.rank = agent.rank;
      waiter.block = agent.block;
      waiter.expected = agent.expected;
      waiter.at_least = agent.at_least ? 1 : 0;
      waiter.actual = transport->load(agent.cell);
      memory.cell(agent.cell, waiter);
      waiters.push_back(waiter);
    }
  }

  bool stopped() const { return __atomic_load_n(&stopped_, __ATOMIC_ACQUIRE); }

  const pld_sim_config config;
  std::mutex lock;
  MemoryMap memory;
  Ordering order;
  ThreadTransport threads;
  Transport* transport = &threads;
  std::deque<Agent> agents;
  std::vector<std::vector<Agent*>> by_rank;  // first the host, then the blocks
  Agent* program = nullptr;
  std::vector<CommContext> contexts;
  std::vector<pld_sim_counters> counters;
  std::vector<pld_sim_finding> findings;
  std::vector<pld_sim_waiter> waiters;
  uint64_t finding_count = 0;
  std::atomic<uint64_t> operations{0};  // of all blocks: whether anything goes on
  std::condition_variable launch_ended;  // with the lock, where order is checked
  bool stopped_ = false;
  std::deque<Launch> launches;  // by rank; the last member: its threads use all others
};

namespace {

// Before each operation: the block at work, null where it must do nothing.
Agent* acting() {
  Agent* agent = current;
  if (agent == nullptr || agent->session->stopped()) return nullptr;
  agent->session->operations.fetch_add(1, std::memory_order_relaxed);
  if (agent->session->config.hook != nullptr) agent->session->config.hook(agent->rank, agent->block);
  return agent;
}

// The place of `bytes` at `address`, if the block may touch them.
bool resolve(Agent& agent, const void* address, uint64_t bytes, const char* doing, Place& place) {
  pld_sim_session& session = *agent.session;
  if (session.memory.find(agent.rank, address, bytes, place)) {
    return true;
  }
  std::lock_guard<std::mutex> guard(session.lock);
  session.report(PLD_SIM_OUT_OF_BOUNDS, agent, "%s %s %llu bytes at %s",
                 pld_sim_session::name(agent).c_str(), doing,
                 static_cast<unsigned long long>(bytes),
                 session.memory.describe(reinterpret_cast<uint64_t>(address)).c_str());
  return false;
}

// After the last block: its rank's host knows what all of them did.
void finish(pld_sim_session& session, int32_t rank) {
  Launch& launch = session.launches[rank];
  {
    const auto guard = session.checking();
    pld_sim_counters& sum = session.counters[rank];
    ++sum.launches;
    launch.spans.clear();
    for (int32_t block = 0; block < launch.blocks; ++block) {
      Agent& agent = session.block(rank, block);
      if (session.config.check_order) Ordering::join(session.host(rank).clock, agent.clock);
      sum.wire_bytes += agent.counters.wire_bytes;
      sum.local_bytes += agent.counters.local_bytes;
      sum.transfers += agent.counters.transfers;
      sum.notifications += agent.counters.notifications;
      sum.waits += agent.counters.waits;
      sum.wait_ns += agent.counters.wait_ns;
      if (block == 0) sum.barriers += agent.counters.barriers;
      launch.spans.insert(launch.spans.end(), agent.spans.begin(), agent.spans.end());
    }
  }
  {
    std::lock_guard<std::mutex> guard(launch.lock);
    launch.over = true;
    launch.ended.notify_all();
  }
  if (!session.config.check_order) return;
  const auto guard = session.checking();
  session.launch_ended.notify_all();
}

void end_block(Agent& agent) {
  pld_sim_session& session = *agent.session;
  {
    const auto guard = session.checking();
    pld_sim_session::set(agent.active, false);
  }
  if (session.launches[agent.rank].running.fetch_sub(1) == 1) finish(session, agent.rank);
}

void run_block(Agent& agent, pld_sim_kernel kernel, std::vector<int64_t> args) {
  const auto start = Time::now();
  current = &agent;
  kernel(args.data());
  current = nullptr;
  if (agent.session->config.keep_spans) {
    agent.spans.push_back({agent.block, 0, -1, 0, since_epoch(start), since_epoch(Time::now())});
  }
  end_block(agent);
}

std::string seconds(uint64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", static_cast<double>(nanoseconds) * 1e-9);
  return text;
}

// An equality that a block saw may pass before it says that it waits no more; with the lock, nobody
// takes it for stuck in between. At least a value stays.
bool look(pld_sim_session& session, Agent& agent) {
  if (agent.at_least) return session.reached(agent);
  const auto guard = session.checking();
  if (!session.reached(agent)) return false;
  pld_sim_session::set(agent.waiting, false);
  return true;
}

// Looks at the cell that the block waits for until it has its value or the session stops. The limit
// is on time in which no block did anything: many blocks on few cores take long.
void look_until_reached(pld_sim_session& session, Agent& agent, Time::time_point start) {
  constexpr uint64_t kLooksBetweenChecks = 256;
  uint64_t operations = session.operations.load(std::memory_order_relaxed);
  for (uint64_t looks = 1; !session.stopped() && !look(session, agent); ++looks) {
    if (session.config.hook != nullptr) session.config.hook(agent.rank, agent.block);
    session.transport->pause(looks);
    if (session.transport->abandoned()) {
      std::lock_guard<std::mutex> guard(session.lock);
      session.abandon();
      return;
    }
    if (const uint64_t now = session.operations.load(std::memory_order_relaxed); now != operations) {
      operations = now;
      start = Time::now();
    }
    const bool late = Time::now() - start > Nanoseconds(session.config.wait_limit_ns);
    if (!late && (looks % kLooksBetweenChecks != 0 || !session.config.check_order)) continue;
    std::lock_guard<std::mutex> guard(session.lock);
    if (session.reached(agent)) {
      pld_sim_session::set(agent.waiting, false);
      return;
    }
    if (late) {
      session.report_deadlock(agent, pld_sim_session::name(agent) + " waited for more than " +
                                         seconds(session.config.wait_limit_ns));
    } else if (session.nobody_moves()) {
      session.report_deadlock(agent, "no block can go on and no host is at work");
    }
  }
}

}  // namespace

// The operations.

extern "C" void pld_sim_put(void* to, const void* from, uint64_t bytes, int64_t columns,
                            int64_t length) {
  Agent* agent = acting();
  if (agent == nullptr) return;
  pld_sim_session& session = *agent->session;
  if (length <= 0 || columns <= 0 || columns > length) {
    std::lock_guard<std::mutex> guard(session.lock);
    session.report(PLD_SIM_BAD_TILE, *agent, "%s moves %lld elements through a tile of %lld columns",
                   pld_sim_session::name(*agent).c_str(), static_cast<long long>(length),
                   static_cast<long long>(columns));
    return;
  }
  Place target{}, source{};
  if (!resolve(*agent, to, bytes, "writes", target)) return;
  if (!resolve(*agent, from, bytes, "reads", source)) return;
  const bool wire = target.rank != agent->rank || source.rank != agent->rank;
  (wire ? agent->counters.wire_bytes : agent->counters.local_bytes) += bytes;
  ++agent->counters.transfers;
  agent->in_barrier = false;
  if (session.config.check_order) {
    std::lock_guard<std::mutex> guard(session.lock);
    session.report(session.order.transfer(agent->clock, reinterpret_cast<uint64_t>(to),
                                          reinterpret_cast<uint64_t>(from), bytes),
                   *agent);
  }
  session.transport->copy(target, source, bytes);
}

extern "C" void pld_sim_notify(int32_t* cell, int32_t value, int32_t add) {
  Agent* agent = acting();
  if (agent == nullptr) return;
  pld_sim_session& session = *agent->session;
  Place place{};
  if (!resolve(*agent, cell, sizeof *cell, add ? "adds to" : "sets", place)) return;
  ++agent->counters.notifications;
  agent->in_barrier = false;
  const auto apply = [&] {
    add ? session.transport->add(place, value) : session.transport->set(place, value);
  };
  if (!session.config.check_order) return apply();
  // The clock goes with the value: a waiter that sees the one gets the other.
  std::lock_guard<std::mutex> guard(session.lock);
  const uint64_t address = reinterpret_cast<uint64_t>(cell);
  session.report(
      add ? session.order.add(agent->clock, address) : session.order.set(agent->clock, address),
      *agent);
  apply();
}

extern "C" void pld_sim_wait(int32_t* cell, int32_t value, int32_t at_least) {
  Agent* agent = acting();
  if (agent == nullptr) return;
  pld_sim_session& session = *agent->session;
  Place place{};
  if (!resolve(*agent, cell, sizeof *cell, "waits for", place)) return;
  ++agent->counters.waits;
  if (!agent->in_barrier) ++agent->counters.barriers;
  agent->in_barrier = true;
  const auto start = Time::now();
  // Written by this thread only; others read it under the lock, and only while `waiting`.
  agent->cell = place;
  agent->expected = value;
  agent->at_least = at_least != 0;
  if (!session.reached(*agent)) {
    {
      const auto guard = session.checking();
      pld_sim_session::set(agent->waiting, true);
    }
    look_until_reached(session, *agent, start);
    const auto guard = session.checking();
    pld_sim_session::set(agent->waiting, false);
  }
  const auto end = Time::now();
  const auto waited = std::chrono::duration_cast<Nanoseconds>(end - start).count();
  agent->counters.wait_ns += static_cast<uint64_t>(waited);
  if (session.config.keep_spans) {
    pld_sim_waiter waiter{};
    waiter.peer = -1;
    session.memory.cell(place, waiter);
    agent->spans.push_back({agent->block, 1, waiter.peer, 0, since_epoch(start), since_epoch(end)});
  }
  if (session.config.check_order && !session.stopped()) {
    std::lock_guard<std::mutex> guard(session.lock);
    session.order.waited(agent->clock, reinterpret_cast<uint64_t>(cell));
  }
}

extern "C" void pld_sim_drain() {
  Agent* agent = acting();
  if (agent == nullptr) return;
  agent->session->transport->complete();
  agent->clock.drained = agent->clock.issued;
}

extern "C" void pld_sim_fence() {
  Agent* agent = acting();
  if (agent == nullptr) return;
  agent->clock.published = agent->clock.drained;
}

extern "C" void pld_sim_invalidate(const volatile void* address) {
  Agent* agent = acting();
  if (agent == nullptr || !agent->session->config.check_order) return;
  pld_sim_session& session = *agent->session;
  std::lock_guard<std::mutex> guard(session.lock);
  session.report(session.order.reload(agent->clock, reinterpret_cast<uint64_t>(address)), *agent);
}

// The host's side.

extern "C" pld_sim_session* pld_sim_open(const pld_sim_config* config) {
  if (config->ranks < 1 || config->ranks > static_cast<int32_t>(COMM_MAX_RANK_NUM)) return nullptr;
  if (config->max_blocks < 1) return nullptr;
  try {
    return new pld_sim_session(*config);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

extern "C" void pld_sim_stop(pld_sim_session* session) {
  session->stop();
}

// Returns when all blocks have ended.
extern "C" void pld_sim_close(pld_sim_session* session) {
  pld_sim_stop(session);
  for (int32_t rank = 0; rank < session->config.ranks; ++rank) pld_sim_wait_for(session, rank);
  delete session;
}

extern "C" void pld_sim_set_window(pld_sim_session* session, int32_t rank, void* base,
                                   uint64_t bytes) {
  std::lock_guard<std::mutex> guard(session->lock);
  session->memory.set_window(rank, base, bytes);
  for (CommContext& context : session->contexts) {
    context.winSize = bytes;
    context.windowsIn[rank] = context.windowsOut[rank] = reinterpret_cast<uint64_t>(base);
  }
}

extern "C" void pld_sim_use_transport(pld_sim_session* session, void* transport) {
  session->transport = static_cast<Transport*>(transport);
}

extern "C" void pld_sim_add_buffer(pld_sim_session* session, const pld_sim_buffer* buffer) {
  session->memory.add(*buffer);
}

extern "C" void pld_sim_set_present(pld_sim_session* session, int32_t rank, int32_t present) {
  std::lock_guard<std::mutex> guard(session->lock);
  session->host(rank).active = present != 0;
}

extern "C" void pld_sim_remove_buffer(pld_sim_session* session, int32_t rank, void* base,
                                      uint64_t bytes) {
  session->memory.remove(rank, base);
  if (!session->config.check_order) return;
  std::lock_guard<std::mutex> guard(session->lock);
  const uint64_t first = reinterpret_cast<uint64_t>(base);
  session->order.forget(first, first + bytes);
}

extern "C" void* pld_sim_context(pld_sim_session* session, int32_t rank) {
  return &session->contexts[rank];
}

extern "C" int32_t pld_sim_start(pld_sim_session* session, int32_t rank, pld_sim_kernel kernel,
                                 const int64_t* args, int32_t count, int32_t blocks) {
  Agent& host = session->host(rank);
  Launch& launch = session->launches[rank];
  if (blocks < 1 || blocks > session->config.max_blocks || count > PLD_SIM_BLOCK_IDX_SLOT) {
    std::lock_guard<std::mutex> guard(session->lock);
    session->report(PLD_SIM_BAD_LAUNCH, host, "a launch of %d blocks with %d arguments; at most %d and %d",
                    blocks, count, session->config.max_blocks, PLD_SIM_BLOCK_IDX_SLOT);
    return 1;
  }
  if (session->stopped()) return 1;
  if (session->by_rank[rank].size() <= static_cast<size_t>(blocks)) {
    std::lock_guard<std::mutex> guard(session->lock);
    while (session->by_rank[rank].size() <= static_cast<size_t>(blocks)) {
      session->add_agent(rank, static_cast<int32_t>(session->by_rank[rank].size()) - 1);
    }
  }
  {
    const auto guard = session->checking();
    // While it has a launch a host is at work in any case; afterwards until it says otherwise.
    pld_sim_session::set(host.active, true);
    for (int32_t block = 0; block < blocks; ++block) {
      Agent& agent = session->block(rank, block);
      agent.counters = {};
      agent.spans.clear();
      agent.in_barrier = false;
      pld_sim_session::set(agent.active, true);
      if (session->config.check_order) Ordering::order(host.clock, agent.clock);
    }
  }
  {
    std::lock_guard<std::mutex> guard(launch.lock);
    launch.over = launch.told = false;
  }
  launch.blocks = blocks;
  launch.running = blocks;
  for (int32_t block = blocks; block-- > 0;) {
    Agent& agent = session->block(rank, block);
    std::vector<int64_t> arguments(PLD_SIM_ARGUMENT_SLOTS);
    std::copy(args, args + count, arguments.begin());
    arguments[PLD_SIM_BLOCK_IDX_SLOT] = block;
    arguments[PLD_SIM_BLOCK_NUM_SLOT] = blocks;
    try {
      launch.workers.run([&agent, kernel, arguments = std::move(arguments)]() mutable {
        run_block(agent, kernel, std::move(arguments));
      });
    } catch (const std::system_error& error) {
      {
        std::lock_guard<std::mutex> guard(session->lock);
        session->report(PLD_SIM_BAD_LAUNCH, host, "no thread for block %d: %s", block, error.what());
      }
      end_block(agent);
    }
  }
  return 0;
}

extern "C" int32_t pld_sim_over(pld_sim_session* session, int32_t rank) {
  Launch& launch = session->launches[rank];
  std::lock_guard<std::mutex> guard(launch.lock);
  launch.told = launch.over;
  return launch.over;
}

extern "C" int32_t pld_sim_wait_for(pld_sim_session* session, int32_t rank) {
  Launch& launch = session->launches[rank];
  std::unique_lock<std::mutex> guard(launch.lock);
  launch.ended.wait(guard, [&] { return launch.over; });
  launch.told = true;
  return session->stopped() ? 1 : 0;
}

extern "C" void pld_sim_idle(pld_sim_session* session, uint64_t while_ns) {
  const auto news = [&] {
    return std::any_of(session->launches.begin(), session->launches.end(), [](Launch& launch) {
      std::lock_guard<std::mutex> guard(launch.lock);
      return launch.over && !launch.told;
    });
  };
  std::unique_lock<std::mutex> guard(session->lock);
  if (news()) return;
  for (int32_t rank = 0; rank < session->config.ranks; ++rank) {
    Launch& launch = session->launches[rank];
    std::lock_guard<std::mutex> launch_guard(launch.lock);
    pld_sim_session::set(session->host(rank).active, !launch.told);
  }
  session->launch_ended.wait_for(guard, Nanoseconds(while_ns), news);
  for (int32_t rank = 0; rank < session->config.ranks; ++rank) {
    pld_sim_session::set(session->host(rank).active, true);
  }
}

extern "C" int32_t pld_sim_launch(pld_sim_session* session, int32_t rank, pld_sim_kernel kernel,
                                  const int64_t* args, int32_t count, int32_t blocks) {
  if (pld_sim_start(session, rank, kernel, args, count, blocks) != 0) return 1;
  return pld_sim_wait_for(session, rank);
}

extern "C" uint64_t pld_sim_spans(pld_sim_session* session, int32_t rank, pld_sim_span* out,
                                  uint64_t room) {
  const std::vector<pld_sim_span>& spans = session->launches[rank].spans;
  std::copy_n(spans.begin(), std::min<size_t>(room, spans.size()), out);
  return spans.size();
}

extern "C" void pld_sim_host_read(pld_sim_session* session, int32_t rank, const void* base,
                                  uint64_t bytes) {
  if (!session->config.check_order || bytes == 0 || session->stopped()) return;
  std::lock_guard<std::mutex> guard(session->lock);
  Agent& host = session->host(rank);
  const uint64_t first = reinterpret_cast<uint64_t>(base);
  session->report(session->order.host_read(host.clock, first, first + bytes), host);
}

extern "C" void pld_sim_host_write(pld_sim_session* session, int32_t rank, void* base,
                                   uint64_t bytes) {
  if (!session->config.check_order || bytes == 0 || session->stopped()) return;
  std::lock_guard<std::mutex> guard(session->lock);
  Agent& host = session->host(rank);
  const uint64_t first = reinterpret_cast<uint64_t>(base);
  session->report(session->order.host_write(host.clock, first, first + bytes), host);
}

extern "C" void pld_sim_host_sees(pld_sim_session* session, int32_t rank, const void* base,
                                  uint64_t bytes) {
  if (!session->config.check_order || bytes == 0 || session->stopped()) return;
  std::lock_guard<std::mutex> guard(session->lock);
  Agent& host = session->host(rank);
  const uint64_t first = reinterpret_cast<uint64_t>(base);
  session->report(session->order.knows_all(host.clock, first, first + bytes), host);
}

extern "C" void pld_sim_host_notify(pld_sim_session* session, int32_t rank, int32_t* cell,
                                    int32_t value, int32_t add) {
  Agent& host = session->host(rank);
  Place place{};
  if (!resolve(host, cell, sizeof *cell, add ? "adds to" : "sets", place)) return;
  std::lock_guard<std::mutex> guard(session->lock);
  if (session->config.check_order && !session->stopped()) {
    const uint64_t address = reinterpret_cast<uint64_t>(cell);
    host.clock.complete();
    session->report(
        add ? session->order.add(host.clock, address) : session->order.set(host.clock, address), host);
    host.clock.complete();
  }
  add ? session->transport->add(place, value) : session->transport->set(place, value);
}

extern "C" void pld_sim_host_waited(pld_sim_session* session, int32_t rank, int32_t* cell) {
  if (!session->config.check_order) return;
  std::lock_guard<std::mutex> guard(session->lock);
  session->order.waited(session->host(rank).clock, reinterpret_cast<uint64_t>(cell));
}

extern "C" void pld_sim_order(pld_sim_session* session, int32_t before, int32_t after) {
  if (!session->config.check_order) return;
  std::lock_guard<std::mutex> guard(session->lock);
  Ordering::order(session->host(before).clock, session->host(after).clock);
}

extern "C" uint64_t pld_sim_findings(pld_sim_session* session, pld_sim_finding* out, uint64_t room) {
  std::lock_guard<std::mutex> guard(session->lock);
  const size_t filled = std::min<size_t>(room, session->findings.size());
  std::copy_n(session->findings.begin(), filled, out);
  return session->finding_count;
}

extern "C" uint64_t pld_sim_waiters(pld_sim_session* session, pld_sim_waiter* out, uint64_t room) {
  std::lock_guard<std::mutex> guard(session->lock);
  const size_t filled = std::min<size_t>(room, session->waiters.size());
  std::copy_n(session->waiters.begin(), filled, out);
  return session->waiters.size();
}

extern "C" void pld_sim_count(pld_sim_session* session, int32_t rank, pld_sim_counters* out) {
  std::lock_guard<std::mutex> guard(session->lock);
  *out = session->counters[rank];
}
