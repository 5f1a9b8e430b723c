// SPDX-License-Identifier: Apache-2.0
//
// Holds one part of the agent. Its memory is allocated before any part is made, because parts refer
// to each other in both directions: the constructor of one gets a reference to another that is made
// after it, and must not use it yet.
#pragma once

#include <memory>
#include <new>
#include <utility>

namespace jvmdebug::agent {

template <class T>
class Part {
 public:
  Part() = default;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  Part(Part&&) = delete;
  Part& operator=(Part&&) = delete;

  ~Part() { drop(); }

  // Allocates the memory. Destroys the part that was there before.
  void reserve() {
    drop();
    memory_ = static_cast<T*>(::operator new(sizeof(T), kAlignment));
  }

  // Constructs the part in the memory.
  template <class... Arguments>
  void make(Arguments&&... arguments) {
    std::construct_at(memory_, std::forward<Arguments>(arguments)...);
    is_made_ = true;
  }

  [[nodiscard]] T& operator*() const { return *memory_; }

  [[nodiscard]] T* operator->() const { return memory_; }

 private:
  static constexpr std::align_val_t kAlignment{alignof(T)};

  void drop() {
    if (std::exchange(is_made_, false)) {
      std::destroy_at(memory_);
    }
    ::operator delete(std::exchange(memory_, nullptr), kAlignment);
  }

  T* memory_ = nullptr;
  bool is_made_ = false;
};

}  // namespace jvmdebug::agent
