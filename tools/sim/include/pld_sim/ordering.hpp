// Finds accesses that no synchronization orders, whatever order this run happened to take.
//
// The machine that runs the simulation hides most ordering bugs: its memory is coherent, and the
// lucky order is the usual one. So order is computed, with vector clocks. An agent is a block of a
// rank, or a rank's host side. Its writes are numbered. What it has drained (pipe_barrier) and then
// fenced (dsb) is published; a notification carries what its sender has published and what it knew
// of others; a satisfied wait hands that to the waiter. A launch hands the host's knowledge to the
// blocks, and their end hands all of theirs back.
//
// Memory is a map of byte ranges, each with its last write and the reads since. An access to a
// range whose last write (or, for a write, whose reads) the agent does not know of is a conflict,
// in whichever order the two came.
#ifndef PLD_SIM_ORDERING_HPP
#define PLD_SIM_ORDERING_HPP

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace pld_sim {

struct Clock {
  int32_t id = 0;
  int32_t rank = 0;
  uint64_t issued = 0;
  uint64_t drained = 0;
  uint64_t published = 0;
  std::vector<uint64_t> known;  // by agent: the last event known to have happened before

  bool knows(int32_t agent, uint64_t event) const {
    return agent == id || (static_cast<size_t>(agent) < known.size() && known[agent] >= event);
  }

  void learn(const std::vector<uint64_t>& other) {
    if (known.size() < other.size()) known.resize(other.size());
    for (size_t i = 0; i < other.size(); ++i) known[i] = std::max(known[i], other[i]);
  }

  void learn(int32_t agent, uint64_t event) {
    if (known.size() <= static_cast<size_t>(agent)) known.resize(agent + 1);
    known[agent] = std::max(known[agent], event);
  }

  // What an agent does that waits for its own accesses, as a host does.
  void complete() { drained = published = issued; }
};

enum class Clash { none, write_unseen, read_unseen, shared_line, set_unseen, add_unseen, own_unpublished };

struct Conflict {
  Clash clash = Clash::none;
  int32_t other = -1;
  uint64_t address = 0;
};

class Ordering {
 public:
  // Agents are numbered as they come.
  void add_agent(int32_t rank) { ranks_.push_back(rank); }

  // A transfer, by one agent: reads one range and writes another.
  Conflict transfer(Clock& clock, uint64_t to, uint64_t from, uint64_t bytes) {
    const uint64_t event = ++clock.issued;
    Conflict found = read(clock, event, from, from + bytes);
    if (found.clash == Clash::none) found = near_write(clock, to, to + bytes);
    const Conflict written = write(clock, event, to, to + bytes);
    return found.clash == Clash::none ? written : found;
  }

  // The host's accesses are complete when it makes them.
  Conflict host_read(Clock& clock, uint64_t first, uint64_t last) {
    ++clock.issued;
    clock.complete();
    return read(clock, clock.issued, first, last);
  }

  Conflict host_write(Clock& clock, uint64_t first, uint64_t last) {
    ++clock.issued;
    clock.complete();
    return write(clock, clock.issued, first, last);
  }

  // Whether all that was written there is known to the agent, who does not read it yet.
  Conflict knows_all(const Clock& clock, uint64_t first, uint64_t last) {
    return last_write(clock, first, last);
  }

  // The memory has a new owner: what was there before says nothing about it.
  void forget(uint64_t first, uint64_t last) {
    split(first);
    split(last);
    intervals_.erase(intervals_.lower_bound(first), intervals_.lower_bound(last));
    cells_.erase(cells_.lower_bound(first), cells_.lower_bound(last));
  }

  Conflict add(Clock& clock, uint64_t address) {
    Cell& cell = cells_[address];
    const uint64_t event = ++clock.issued;
    Conflict found = last_write(clock, address, address + 4);
    if (cell.setter >= 0 && !clock.knows(cell.setter, cell.set_event) && !has_seen_set(cell, clock)) {
      found = {Clash::set_unseen, cell.setter, address};
    }
    cell.adds[clock.id] = {event, ++cell.changes};
    release(clock, cell.released);
    return found;
  }

  Conflict set(Clock& clock, uint64_t address) {
    Cell& cell = cells_[address];
    const uint64_t event = ++clock.issued;
    Conflict found = write(clock, event, address, address + 4);
    if (found.clash == Clash::write_unseen && found.other == cell.setter && has_seen_set(cell, clock)) {
      found = {};
    }
    const uint64_t seen = cell.seen[clock.id];
    for (const auto& [agent, made] : cell.adds) {
      if (made.change > seen && !clock.knows(agent, made.event)) {
        found = {Clash::add_unseen, agent, address};
      }
    }
    cell.setter = clock.id;
    cell.set_event = event;
    cell.set_change = ++cell.changes;
    cell.adds.clear();
    cell.released.clear();
    release(clock, cell.released);
    return found;
  }

  // Before loads of a line: what the agent itself wrote there has to be out of its pipes.
  Conflict reload(const Clock& clock, uint64_t address) {
    const uint64_t line = address / kCacheLine * kCacheLine;
    for (auto i = first_overlap(line); i != intervals_.end() && i->first < line + kCacheLine; ++i) {
      const Access& writer = i->second.writer;
      if (writer.agent == clock.id && writer.event > clock.published) {
        return {Clash::own_unpublished, clock.id, std::max(line, i->first)};
      }
    }
    return {};
  }

  void waited(Clock& clock, uint64_t address) {
    Cell& cell = cells_[address];
    clock.learn(cell.released);
    cell.seen[clock.id] = cell.changes;
  }

  // All that an agent did, and knew of, comes before what another does from now on.
  static void order(const Clock& before, Clock& after) {
    after.learn(before.known);
    after.learn(before.id, before.issued);
  }

  static void join(Clock& host, Clock& block) {
    block.complete();
    order(block, host);
  }

 private:
  // Cores write memory by such lines; two that write into one may undo each other's bytes.
  static constexpr uint64_t kLine = 32;
  static constexpr uint64_t kCacheLine = 64;

  struct Access {
    int32_t agent;
    uint64_t event;
  };
  struct Interval {
    uint64_t last;
    Access writer;  // agent -1: nobody yet
    std::vector<Access> readers;
  };
  struct Addition {
    uint64_t event;
    uint64_t change;
  };
  struct Cell {
    std::vector<uint64_t> released;
    int32_t setter = -1;
    uint64_t set_event = 0;
    uint64_t set_change = 0;
    uint64_t changes = 0;
    std::map<int32_t, Addition> adds;
    std::map<int32_t, uint64_t> seen;
  };
  using Intervals = std::map<uint64_t, Interval>;

  // A waiter knows the value that it waited for, if not what its sender had done before.
  static bool has_seen_set(const Cell& cell, const Clock& clock) {
    const auto seen = cell.seen.find(clock.id);
    return seen != cell.seen.end() && seen->second >= cell.set_change;
  }

  static void release(const Clock& clock, std::vector<uint64_t>& released) {
    const size_t own = static_cast<size_t>(clock.id);
    released.resize(std::max({released.size(), clock.known.size(), own + 1}));
    for (size_t i = 0; i < clock.known.size(); ++i) {
      released[i] = std::max(released[i], clock.known[i]);
    }
    released[own] = std::max(released[own], clock.published);
  }

  Intervals::iterator first_overlap(uint64_t first) {
    auto next = intervals_.upper_bound(first);
    if (next != intervals_.begin()) {
      auto previous = std::prev(next);
      if (previous->second.last > first) return previous;
    }
    return next;
  }

  void split(uint64_t at) {
    auto found = first_overlap(at);
    if (found == intervals_.end() || found->first >= at) return;
    Interval tail = found->second;
    found->second.last = at;
    intervals_.emplace(at, std::move(tail));
  }

  Conflict last_write(const Clock& clock, uint64_t first, uint64_t last) {
    for (auto i = first_overlap(first); i != intervals_.end() && i->first < last; ++i) {
      const Access& writer = i->second.writer;
      if (writer.agent >= 0 && !clock.knows(writer.agent, writer.event)) {
        return {Clash::write_unseen, writer.agent, std::max(first, i->first)};
      }
    }
    return {};
  }

  Conflict last_reads(const Clock& clock, uint64_t first, uint64_t last) {
    for (auto i = first_overlap(first); i != intervals_.end() && i->first < last; ++i) {
      for (const Access& reader : i->second.readers) {
        if (!clock.knows(reader.agent, reader.event)) {
          return {Clash::read_unseen, reader.agent, std::max(first, i->first)};
        }
      }
    }
    return {};
  }

  // Writes of the same rank's other blocks to the lines that this one only partly covers.
  Conflict near_write(const Clock& clock, uint64_t first, uint64_t last) {
    const uint64_t line = first / kLine * kLine;
    const uint64_t end = (last + kLine - 1) / kLine * kLine;
    for (const auto& [begin, stop] : {std::make_pair(line, first), std::make_pair(last, end)}) {
      for (auto i = first_overlap(begin); i != intervals_.end() && i->first < stop; ++i) {
        const Access& writer = i->second.writer;
        if (writer.agent >= 0 && same_rank(writer.agent, clock) &&
            !clock.knows(writer.agent, writer.event)) {
          return {Clash::shared_line, writer.agent, std::max(begin, i->first)};
        }
      }
    }
    return {};
  }

  Conflict read(Clock& clock, uint64_t event, uint64_t first, uint64_t last) {
    const Conflict found = last_write(clock, first, last);
    split(first);
    split(last);
    uint64_t at = first;
    while (at < last) {
      auto i = intervals_.lower_bound(at);
      if (i == intervals_.end() || i->first > at) {
        const uint64_t stop = i == intervals_.end() ? last : std::min(last, i->first);
        i = intervals_.emplace(at, Interval{stop, {-1, 0}, {}}).first;
      }
      std::vector<Access>& readers = i->second.readers;
      auto mine = std::find_if(readers.begin(), readers.end(),
                               [&](const Access& access) { return access.agent == clock.id; });
      if (mine == readers.end()) {
        readers.push_back({clock.id, event});
      } else {
        mine->event = event;
      }
      at = i->second.last;
    }
    return found;
  }

  Conflict write(Clock& clock, uint64_t event, uint64_t first, uint64_t last) {
    Conflict found = last_write(clock, first, last);
    if (found.clash == Clash::none) found = last_reads(clock, first, last);
    split(first);
    split(last);
    intervals_.erase(intervals_.lower_bound(first), intervals_.lower_bound(last));
    intervals_.emplace(first, Interval{last, {clock.id, event}, {}});
    return found;
  }

  bool same_rank(int32_t agent, const Clock& clock) const {
    return ranks_[agent] == clock.rank;
  }

  Intervals intervals_;
  std::map<uint64_t, Cell> cells_;
  std::vector<int32_t> ranks_;  // by agent
};

}  // namespace pld_sim

#endif
