// The engine as the host process sees it: plain C, no exceptions, nothing that ends the process.
//
// A session has a window on each of its ranks. The host registers the memory that kernels may
// touch, launches kernels for a rank and says when it reads, writes, notifies or has waited by
// itself. Launches for different ranks run at the same time: each is waited for by a thread of the
// host, or one thread starts them and asks which are over. Whatever goes wrong is a finding.
#ifndef PLD_SIM_API_H
#define PLD_SIM_API_H

#include <cstdint>

extern "C" {

typedef struct pld_sim_session pld_sim_session;
typedef void (*pld_sim_kernel)(int64_t* args);

// Called before every operation of a block and at every look at a cell that it waits for.
typedef void (*pld_sim_hook)(int32_t rank, int32_t block);

enum pld_sim_finding_kind {
  PLD_SIM_OUT_OF_BOUNDS = 1,  // an address outside the memory the block may touch
  PLD_SIM_UNORDERED = 2,      // an access that nothing orders after one it depends on
  PLD_SIM_SHARED_LINE = 3,    // two blocks of a rank write into one line of memory
  PLD_SIM_LOST_UPDATE = 4,    // a cell that is set while others add to it
  PLD_SIM_BAD_TILE = 5,       // a tile whose valid columns do not fit the transfer
  PLD_SIM_DEADLOCK = 6,       // a wait beyond the limit, or nobody left to end any wait
  PLD_SIM_BAD_LAUNCH = 7,
};

struct pld_sim_config {
  int32_t ranks;
  int32_t max_blocks;  // that a launch may have
  int32_t check_order;  // 0: no checks but bounds, for measurements and for ThreadSanitizer
  int32_t keep_spans;   // whether what blocks did when is kept
  uint64_t wait_limit_ns;
  pld_sim_hook hook;  // may be null
};

struct pld_sim_buffer {
  void* base;
  uint64_t bytes;
  int32_t rank;
  int32_t in_window;
  int32_t columns;  // of the tensor, in 4-byte cells; 0 where it is no matrix of cells
  int32_t credits;  // row r holds what rank r adds
  char name[64];
};

struct pld_sim_finding {
  int32_t kind;
  int32_t rank;
  int32_t block;  // -1: the host
  int32_t reserved;
  char text[496];
};

// A block that waited when a deadlock was found.
struct pld_sim_waiter {
  int32_t rank;
  int32_t block;
  int32_t peer;  // whose credit it waits for, -1 where the cell does not tell
  int32_t row;
  int32_t column;
  int32_t expected;
  int32_t actual;
  int32_t at_least;
  char buffer[64];
};

struct pld_sim_counters {
  uint64_t wire_bytes;  // between this rank's memory and a peer's, moved by this rank
  uint64_t local_bytes;
  uint64_t transfers;
  uint64_t notifications;
  uint64_t waits;
  uint64_t barriers;  // of block 0: a run of waits after other operations
  uint64_t wait_ns;   // over all blocks
  uint64_t launches;
};

// What a block did when, on the clock of std::chrono::steady_clock.
struct pld_sim_span {
  int32_t block;
  int32_t waits;  // 0: all of its run
  int32_t peer;   // whose credit it waited for, -1 where the cell does not tell
  int32_t reserved;
  uint64_t start_ns;
  uint64_t end_ns;
};

// An agent for order: a rank's host side, or the program above all ranks.
enum { PLD_SIM_PROGRAM = -1 };

pld_sim_session* pld_sim_open(const pld_sim_config* config);
void pld_sim_close(pld_sim_session* session);

// Another transport than threads in common memory: a `pld_sim::Transport*` that outlives the session.
void pld_sim_use_transport(pld_sim_session* session, void* transport);
void pld_sim_set_window(pld_sim_session* session, int32_t rank, void* base, uint64_t bytes);
void pld_sim_add_buffer(pld_sim_session* session, const pld_sim_buffer* buffer);
// Whether the rank's host side is at work: one that has left will launch nothing more.
void pld_sim_set_present(pld_sim_session* session, int32_t rank, int32_t present);
// Forgets a buffer beside the window, and every access to it.
void pld_sim_remove_buffer(pld_sim_session* session, int32_t rank, void* base, uint64_t bytes);
void* pld_sim_context(pld_sim_session* session, int32_t rank);

// Starts a launch; a rank has one at a time. Nonzero when the session has stopped: after a deadlock
// every operation does nothing.
int32_t pld_sim_start(pld_sim_session* session, int32_t rank, pld_sim_kernel kernel,
                      const int64_t* args, int32_t count, int32_t blocks);
// Whether the rank has no launch under way.
int32_t pld_sim_over(pld_sim_session* session, int32_t rank);
// Returns when the rank's launch is over; nonzero when the session has stopped.
int32_t pld_sim_wait_for(pld_sim_session* session, int32_t rank);
// Says that no host does anything before a launch ends; returns when one does, or after a while.
void pld_sim_idle(pld_sim_session* session, uint64_t while_ns);
// Both in one: returns when the launch is over.
int32_t pld_sim_launch(pld_sim_session* session, int32_t rank, pld_sim_kernel kernel,
                       const int64_t* args, int32_t count, int32_t blocks);
// Ends every wait.
void pld_sim_stop(pld_sim_session* session);
// What the blocks of the rank's last launch did; fills up to `room`, returns how many there are.
uint64_t pld_sim_spans(pld_sim_session* session, int32_t rank, pld_sim_span* out, uint64_t room);

void pld_sim_host_read(pld_sim_session* session, int32_t rank, const void* base, uint64_t bytes);
void pld_sim_host_write(pld_sim_session* session, int32_t rank, void* base, uint64_t bytes);
// Whether the host could read that memory now: a finding where it could not.
void pld_sim_host_sees(pld_sim_session* session, int32_t rank, const void* base, uint64_t bytes);
void pld_sim_host_notify(pld_sim_session* session, int32_t rank, int32_t* cell, int32_t value,
                         int32_t add);
void pld_sim_host_waited(pld_sim_session* session, int32_t rank, int32_t* cell);
// All that one agent did comes before what the other will do.
void pld_sim_order(pld_sim_session* session, int32_t before, int32_t after);

// How many there are; fills up to `room` of them.
uint64_t pld_sim_findings(pld_sim_session* session, pld_sim_finding* out, uint64_t room);
uint64_t pld_sim_waiters(pld_sim_session* session, pld_sim_waiter* out, uint64_t room);
void pld_sim_count(pld_sim_session* session, int32_t rank, pld_sim_counters* out);
}

#endif
