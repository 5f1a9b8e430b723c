// SPDX-License-Identifier: Apache-2.0
//
// Functions of JVM TI by their names, for debuggers that call them through Jvmti.Call and
// Jvmti.Change: those that no other command reaches. Each takes and gives numbers, texts and
// objects in the order of the specification; what is a pointer to an answer there is an answer
// here. Here, unlike elsewhere, JVM TI is called without jvm::Env: its error codes are answers.
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
  jvmtiEnv* side = nullptr;  // another one, with capabilities that the main one has not
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
  bool changes = false;  // the VM or the program
  std::size_t numbers = 0;
  std::size_t texts = 0;
  std::size_t objects = 0;
  jvmtiError (*run)(const Call& call, Answer& answer) = nullptr;

  [[nodiscard]] bool takes(const Call& call) const {
    return call.numbers.size() == numbers && (texts == kAny || call.texts.size() == texts) &&
           call.objects.size() == objects;
  }
};

// Null for a name that is not here.
[[nodiscard]] const Function* find_function(std::string_view name);

}  // namespace jvmdebug::agent::jvmti_access
