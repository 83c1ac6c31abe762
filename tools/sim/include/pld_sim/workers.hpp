// Threads that are kept from launch to launch: a block needs one for itself, at once, since blocks
// wait for each other.
#ifndef PLD_SIM_WORKERS_HPP
#define PLD_SIM_WORKERS_HPP

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace pld_sim {

class Workers {
 public:
  ~Workers() {
    {
      std::lock_guard<std::mutex> guard(lock_);
      stopping_ = true;
    }
    ready_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // Throws std::system_error where the machine has no thread left.
  void run(std::function<void()> task) {
    std::lock_guard<std::mutex> guard(lock_);
    if (idle_ > tasks_.size()) {
      tasks_.push_back(std::move(task));
      ready_.notify_one();
    } else {
      threads_.emplace_back([this, task = std::move(task)]() mutable { work(std::move(task)); });
    }
  }

 private:
  void work(std::function<void()> task) {
    for (;;) {
      task();
      std::unique_lock<std::mutex> guard(lock_);
      ++idle_;
      ready_.wait(guard, [this] { return stopping_ || !tasks_.empty(); });
      --idle_;
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
  }

  std::mutex lock_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> tasks_;
  size_t idle_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace pld_sim

#endif
