// SPDX-License-Identifier: Apache-2.0
//
// The objects that recordings name: each has a number, from 1 on, which is a tag in an environment
// of its own, and is described when it gets it. Agent threads, one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/recording/recorder_link.h"

namespace jvmdebug::agent::recording {

struct RecordedThing {
  std::int64_t number = 0;
  std::string class_name;
  std::uint8_t kind = 0;
  std::string text;
  std::string stack;
  std::int32_t length = 0;
  std::vector<std::int64_t> elements;
};

class RecordedThings {
 public:
  RecordedThings(const jvm::Env& env, const RecorderLink& link) : env_(env), link_(link) {}

  // Begins a recording, whose objects get numbers from 1 on.
  [[nodiscard]] jvm::Result<void> open();

  // Takes the numbers away from all objects.
  void close() { tags_.reset(); }

  // Has objects described again, under their numbers.
  void describe_again() { ++turn_; }

  // About how many bytes the descriptions of the last numbers() have.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Returns the numbers of the first objects of the array, and adds the descriptions of those that
  // were not described yet, or not since describe_again(), and of their elements, as far as these
  // fit into a reply.
  [[nodiscard]] std::vector<std::int64_t> numbers(const jvm::Jni& jni, jobjectArray objects,
                                                  std::size_t count,
                                                  std::vector<RecordedThing>& added);

 private:
  [[nodiscard]] std::int64_t number(const jvm::Jni& jni, jobject object, int depth,
                                    std::vector<RecordedThing>& added);

  const jvm::Env& env_;
  const RecorderLink& link_;
  std::unique_ptr<jvm::Env> tags_;
  jlong next_ = 1;
  jlong turn_ = 0;  // how often objects were to be described again
  std::size_t bytes_ = 0;
};

}  // namespace jvmdebug::agent::recording
