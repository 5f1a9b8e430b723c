// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/timers.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <string>
#include <system_error>

namespace jvmdebug::agent::platform {
namespace {

// The state of the handler; like the handler it belongs to the library and not to an agent
// (docs/adr/0007).
struct HandlerState {
  std::atomic<OnTimer> on_timer = nullptr;
  std::atomic<bool> is_installed = false;
  struct sigaction before = {};  // written before the handler is installed
};

HandlerState& state() noexcept {
  static constinit HandlerState instance;
  return instance;
}

static_assert(std::atomic<OnTimer>::is_always_lock_free, "a signal handler must not lock");

// The value that our timers pass with their signals.
void* mark() noexcept {
  return &state();
}

void forward(int signal, siginfo_t* info, void* context) {
  const struct sigaction& before = state().before;
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    if (before.sa_sigaction != nullptr) {
      before.sa_sigaction(signal, info, context);
    }
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  }
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  if (info->si_code != SI_TIMER || info->si_value.sival_ptr != mark()) {
    forward(signal, info, context);
  } else if (const OnTimer on_timer = state().on_timer.load(); on_timer != nullptr) {
    on_timer(context, info->si_overrun);
  }
  errno = saved;
}

// Returns the number of the kernel's CPU-time clock of a thread: include/linux/posix-timers.h.
constexpr clockid_t cpu_clock_of(ThreadNumber thread) {
  constexpr unsigned kShift = 3;
  constexpr unsigned kPerThread = 4;
  constexpr unsigned kScheduled = 2;
  return static_cast<clockid_t>((~static_cast<unsigned>(thread) << kShift) | kPerThread |
                                kScheduled);
}

class CpuTimer : public ThreadTimer {
 public:
  explicit CpuTimer(timer_t timer) : timer_(timer) {}

  CpuTimer(const CpuTimer&) = delete;
  CpuTimer& operator=(const CpuTimer&) = delete;
  CpuTimer(CpuTimer&&) = delete;
  CpuTimer& operator=(CpuTimer&&) = delete;

  ~CpuTimer() override { (void)timer_delete(timer_); }

 private:
  timer_t timer_;
};

}  // namespace

std::string_view why_no_thread_timers() {
  return {};
}

std::vector<ThreadNumber> all_threads() {
  std::vector<ThreadNumber> threads;
  DIR* const folder = opendir("/proc/self/task");
  if (folder == nullptr) {
    return threads;
  }
  while (const dirent* const entry = readdir(folder)) {
    const std::string_view name(entry->d_name);
    ThreadNumber thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc{}) {
      threads.push_back(thread);
    }
  }
  (void)closedir(folder);
  return threads;
}

std::string name_of_thread(ThreadNumber thread) {
  constexpr std::size_t kLongest = 64;
  std::array<char, kLongest> name{};
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/comm";
  if (std::FILE* const file = std::fopen(path.c_str(), "re"); file != nullptr) {
    const char* const line = std::fgets(name.data(), static_cast<int>(name.size()), file);
    (void)std::fclose(file);
    if (line != nullptr) {
      name.at(std::strcspn(name.data(), "\n")) = '\0';
    }
  }
  return name.data();
}

bool install_timer_handler(OnTimer on_timer) {
  HandlerState& handler = state();
  struct sigaction present{};
  if (sigaction(SIGPROF, nullptr, &present) != 0) {
    return false;
  }
  if (!handler.is_installed.exchange(true)) {
    handler.before = present;
    struct sigaction ours{};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    (void)sigemptyset(&ours.sa_mask);
    if (sigaction(SIGPROF, &ours, nullptr) != 0) {
      handler.is_installed = false;
      return false;
    }
  } else if ((present.sa_flags & SA_SIGINFO) == 0 || present.sa_sigaction != on_signal) {
    return false;
  }
  handler.on_timer = on_timer;
  return true;
}

std::unique_ptr<ThreadTimer> ThreadTimer::start(ThreadNumber thread,
                                                std::chrono::microseconds interval) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event.sigev_value.sival_ptr = mark();
#ifdef sigev_notify_thread_id  // glibc has that name from 2.36 on
  event.sigev_notify_thread_id = static_cast<pid_t>(thread);
#else
  event._sigev_un._tid = static_cast<pid_t>(thread);
#endif
  timer_t timer = {};
  if (timer_create(cpu_clock_of(thread), &event, &timer) != 0) {
    return nullptr;
  }
  auto made = std::make_unique<CpuTimer>(timer);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(interval);
  itimerspec times{};
  times.it_interval.tv_sec = seconds.count();
  times.it_interval.tv_nsec =
      static_cast<long>(std::chrono::nanoseconds(interval - seconds).count());
  times.it_value = times.it_interval;
  (void)timer_settime(timer, 0, &times, nullptr);
  return made;
}

}  // namespace jvmdebug::agent::platform
