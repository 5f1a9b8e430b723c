// SPDX-License-Identifier: Apache-2.0
//
// A shared pointer that any thread may read and replace, in place of std::atomic<std::shared_ptr>,
// which libc++ lacks. The flag is held only while a pointer is copied and never across a call or a
// destructor, so it needs no lock rank.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace jvmdebug::agent {

template <class T>
class AtomicShared {
 public:
  using Pointer = std::shared_ptr<T>;

  AtomicShared() = default;

  explicit AtomicShared(Pointer value) : value_(std::move(value)) {}

  [[nodiscard]] Pointer load() const {
    const Held held(busy_);
    return value_;
  }

  void store(Pointer value) { (void)exchange(std::move(value)); }

  [[nodiscard]] Pointer exchange(Pointer value) {
    const Held held(busy_);
    std::swap(value_, value);
    return value;
  }

  // Replaces the value if it is `expected`.
  void replace(const Pointer& expected, Pointer value) {
    const Held held(busy_);
    if (value_ == expected) {
      std::swap(value_, value);  // the old pointer is released with the argument, after `held`
    }
  }

 private:
  class Held {
   public:
    explicit Held(std::atomic_flag& busy) : busy_(busy) {
      while (busy_.test_and_set(std::memory_order_acquire)) {
        busy_.wait(true, std::memory_order_relaxed);
      }
    }

    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    ~Held() {
      busy_.clear(std::memory_order_release);
      busy_.notify_one();
    }

   private:
    std::atomic_flag& busy_;
  };

  mutable std::atomic_flag busy_;
  Pointer value_;
};

}  // namespace jvmdebug::agent
