// SPDX-License-Identifier: Apache-2.0
//
// The objects that recordings name: each has a number, from 1 on, which is a tag in an environment
// of its own, and is described when it gets it. Collections, maps, text builders and atomic numbers
// of the JDK, which change without a record, are looked at each time that a chunk names them, and
// described again, under their number, if what is told of them has changed. Agent threads, one at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
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
  // fit into a reply. Collections, maps and texts that have changed since are described again.
  [[nodiscard]] std::vector<std::int64_t> numbers(const jvm::Jni& jni, jobjectArray objects,
                                                  std::size_t count,
                                                  std::vector<RecordedThing>& added);

 private:
  [[nodiscard]] std::int64_t number(const jvm::Jni& jni, jobject object, int depth,
                                    std::vector<RecordedThing>& added);
  [[nodiscard]] RecordedThing described(const jvm::Jni& jni, jobject object, std::int64_t number,
                                        int depth, std::vector<RecordedThing>& added);
  void look_again(const jvm::Jni& jni, jobject object, std::int64_t number,
                  std::vector<RecordedThing>& added);

  const jvm::Env& env_;
  const RecorderLink& link_;
  std::unique_ptr<jvm::Env> tags_;
  jlong next_ = 1;
  jlong turn_ = 0;  // how often objects were to be described again
  std::size_t bytes_ = 0;
  // What was told last of objects that change without a record, by their numbers: a hash.
  std::unordered_map<std::int64_t, std::uint64_t> changing_;
  std::size_t looks_ = 0;  // at such objects, for the last numbers()
};

}  // namespace jvmdebug::agent::recording
