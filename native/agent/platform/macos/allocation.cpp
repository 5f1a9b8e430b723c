// SPDX-License-Identifier: Apache-2.0
//
// The operators new and delete of the agent. Those of a C++ library that is linked into it would be
// seen by the whole process, which may then take them for its own. Compiled with hidden operators
// (native/agent/CMakeLists.txt), and part of the library itself.
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

template <class Allocate>
void* allocated(Allocate allocate) {
  while (true) {
    if (void* const memory = allocate()) {
      return memory;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) {
      throw std::bad_alloc();
    }
    handler();
  }
}

}  // namespace

void* operator new(std::size_t size) {
  return allocated([size] { return std::malloc(size == 0 ? 1 : size); });
}

void* operator new[](std::size_t size) {
  return operator new(size);
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocated([size, alignment]() -> void* {
    void* memory = nullptr;
    const auto wanted = static_cast<std::size_t>(alignment);
    const std::size_t least = wanted < sizeof(void*) ? sizeof(void*) : wanted;
    return posix_memalign(&memory, least, size == 0 ? 1 : size) == 0 ? memory : nullptr;
  });
}

void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return operator new(size, tag);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete[](void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::size_t /*size*/,
                       std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
