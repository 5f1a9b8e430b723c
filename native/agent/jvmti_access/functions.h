// SPDX-License-Identifier: Apache-2.0
//
// Calls functions of JVM TI by name, for debuggers that use Jvmti.Call and Jvmti.Change: those that
// no other command offers. Each takes and returns numbers, texts and objects in the order of the
// specification; an output parameter there is a result here. Unlike elsewhere, JVM TI is called
// without jvm::Env, because its error codes are results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <jvmti.h>

namespace jvmdebug::agent::jvmti_access {

struct Call {
  jvmtiEnv* main = nullptr;  // the agent's own environment
  jvmtiEnv* side = nullptr;  // another one, with capabilities that the main one lacks
  std::vector<jlong> numbers = {};
  std::vector<std::string> texts = {};  // modified UTF-8
  std::vector<jobject> objects = {};
};

struct Answer {
  std::vector<jlong> numbers;
  std::vector<std::string> texts;  // UTF-8
  std::vector<jobject> objects;    // local references
};

inline constexpr std::size_t kAny = SIZE_MAX;

struct Function {
  std::string_view name;
  bool changes = false;  // it changes the VM or the program
  std::size_t numbers = 0;
  std::size_t texts = 0;
  std::size_t objects = 0;
  jvmtiError (*run)(const Call& call, Answer& answer) = nullptr;

  [[nodiscard]] bool takes(const Call& call) const {
    return (numbers == kAny || call.numbers.size() == numbers) &&
           (texts == kAny || call.texts.size() == texts) &&
           (objects == kAny || call.objects.size() == objects);
  }
};

// Finds a function by name; null if it is not in the table.
[[nodiscard]] const Function* find_function(std::string_view name);

}  // namespace jvmdebug::agent::jvmti_access
