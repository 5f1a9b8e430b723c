// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/sampler.h"

#include <mutex>
#include <utility>

#include "agent/agent.h"
#include "agent/platform/process.h"
#include "agent/sampling/safepoint_sampling.h"
#include "agent/sampling/signal_sampling.h"
#include "agent/scope.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::sampling {
Result<void> Sampler::start(const Settings& settings) {
  JVMDEBUG_ASSIGN(auto own, jvm::Env::create(agent_.jvmti().vm()));
  JVMDEBUG_CHECK(own.add_capabilities({jvm::Capability::kGetThreadCpuTime}));
  auto next = std::make_unique<Run>(std::move(own), agent_.jvmti());
  const auto& own_threads = agent_.threads().own_threads();
  stop();  // there is only one signal handler
  if (settings.by_signals) {
    JVMDEBUG_ASSIGN(next->way,
                    SignalSampling::create(agent_.jvmti(), next->own, own_threads, settings));
  } else {
    next->way =
        std::make_unique<SafepointSampling>(agent_.jvmti(), next->own, own_threads, settings);
  }
  next->start = Clock::now();
  next->start_cpu = platform::cpu_time_of_process().count();
  {
    const std::scoped_lock lock(mutex_);
    run_ = std::move(next);
    changed_.notify_all();
  }
  return start_thread();
}

Result<void> Sampler::start_thread() {
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(has_thread_, true)) {
      return {};
    }
    is_ending_ = false;
  }
  auto started = agent_.threads().own_threads().start(agent_.jni(), "jvmdebug Sampler", [this] {
    const AtExit left([this] {
      const std::scoped_lock lock(mutex_);
      has_thread_ = false;
      changed_.notify_all();
    });
    run();
  });
  if (!started) {
    const std::scoped_lock lock(mutex_);
    has_thread_ = false;
    run_.reset();
  }
  return started;
}

void Sampler::run() {
  const jvm::Jni jni = agent_.jni();
  std::unique_lock lock(mutex_);
  while (!is_ending_) {
    if (!run_ || !run_->way) {
      changed_.wait(lock);
      continue;
    }
    round(jni);
    const auto* const current = run_.get();
    (void)changed_.wait_for(lock, run_->way->pause(),
                            [&] { return is_ending_ || run_.get() != current || !run_->way; });
  }
}

void Sampler::round(const jvm::Jni& jni) {
  const jvm::LocalFrame frame(jni);
  const std::int64_t before = platform::cpu_time_of_thread().count();
  run_->way->round(jni, run_->tree);
  ++run_->rounds;
  run_->sampler_cpu += platform::cpu_time_of_thread().count() - before;
}

void Sampler::finish(Run& run) {
  if (run.way) {
    run.unseen = run.way->unseen();
    run.way.reset();
  }
}

protocol::sampling::ReadReply Sampler::read() {
  const std::scoped_lock lock(mutex_);
  if (!run_) {
    return {};
  }
  auto news = run_->tree.take();
  news.is_running = run_->way != nullptr;
  news.elapsed =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - run_->start).count();
  news.rounds = run_->rounds;
  news.unseen = run_->way ? run_->way->unseen() : run_->unseen;
  news.process_cpu = platform::cpu_time_of_process().count() - run_->start_cpu;
  news.sampler_cpu = run_->sampler_cpu;
  return news;
}

void Sampler::stop() {
  const std::scoped_lock lock(mutex_);
  if (run_) {
    finish(*run_);
  }
  changed_.notify_all();
}

void Sampler::end() {
  std::unique_lock lock(mutex_);
  is_ending_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !has_thread_; });
  run_.reset();
}

}  // namespace jvmdebug::agent::sampling
