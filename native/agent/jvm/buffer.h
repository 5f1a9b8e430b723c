// SPDX-License-Identifier: Apache-2.0
//
// Owners of memory that JVM TI returns and that only Deallocate may free. Local references inside a
// buffer are not owned by it; they die with the caller's LocalFrame.
#pragma once

#include <cstddef>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <jvmti.h>

#include "agent/jvm/strings.h"

namespace jvmdebug::agent::jvm {

// A counted array allocated by JVM TI. May be null, as JVM TI returns empty lists.
template <class T>
class Buffer {
 public:
  Buffer() = default;

  Buffer(jvmtiEnv* env, T* elements, std::size_t size) noexcept
      : env_(env), elements_(elements), size_(elements == nullptr ? 0 : size) {}

  Buffer(Buffer&& other) noexcept
      : env_(other.env_),
        elements_(std::exchange(other.elements_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}

  Buffer& operator=(Buffer&& other) noexcept {
    if (this != &other) {
      release();
      env_ = other.env_;
      elements_ = std::exchange(other.elements_, nullptr);
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }

  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  ~Buffer() { release(); }

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] bool empty() const { return size_ == 0; }

  [[nodiscard]] T* begin() const { return elements_; }

  [[nodiscard]] T* end() const {
    return elements_ == nullptr ? nullptr
                                : std::next(elements_, static_cast<std::ptrdiff_t>(size_));
  }

  [[nodiscard]] T& operator[](std::size_t index) const { return span()[index]; }

  [[nodiscard]] std::span<T> span() const { return {elements_, size_}; }

 private:
  void release() noexcept {
    if (elements_ != nullptr) {
      // Deallocate of a pointer that JVM TI returned cannot fail.
      (void)env_->Deallocate(reinterpret_cast<unsigned char*>(elements_));
    }
  }

  jvmtiEnv* env_ = nullptr;
  T* elements_ = nullptr;
  std::size_t size_ = 0;
};

// A zero-terminated string in modified UTF-8, or nothing (JVM TI gives null for "absent").
class ModifiedUtf8 {
 public:
  ModifiedUtf8() = default;

  ModifiedUtf8(jvmtiEnv* env, char* text) noexcept
      : text_(env, text, text == nullptr ? 0 : std::strlen(text)) {}

  [[nodiscard]] bool absent() const { return text_.begin() == nullptr; }

  // The text in modified UTF-8; empty when absent.
  [[nodiscard]] std::string_view view() const { return {text_.begin(), text_.size()}; }

  // The text in the encoding of the wire; empty when absent.
  [[nodiscard]] std::string utf8() const { return utf8_from_modified(view()); }

 private:
  Buffer<char> text_;
};

}  // namespace jvmdebug::agent::jvm
