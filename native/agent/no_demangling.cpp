// SPDX-License-Identifier: Apache-2.0
//
// Stands for what turns the names of C++ types into readable ones, a twentieth of an agent. The C++
// library of clang would ask it for the type of an exception that nothing catches, just before it
// ends the process, and then writes the name as it is. Part of the library itself, and hidden.
#include <cstddef>

// NOLINTNEXTLINE(bugprone-reserved-identifier): the name is that of the function it replaces
extern "C" char* __cxa_demangle(const char* /*name*/, char* /*into*/, std::size_t* /*size*/,
                                int* status) {
  constexpr int kIsNoName = -2;
  if (status != nullptr) {
    *status = kIsNoName;
  }
  return nullptr;
}
