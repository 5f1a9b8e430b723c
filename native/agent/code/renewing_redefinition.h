// SPDX-License-Identifier: Apache-2.0
//
// Redefines classes up to JDK 16.
//
// There HotSpot sets breakpoints in the version of a method that a change has left alone, even if
// the method gets other code later (older_versions.h). So a redefinition leaves as few methods
// alone as possible: methods whose code stays the same get a deeper operand stack. Two kinds of
// methods stay as they are: methods that a thread runs and does not leave soon, because their
// frames would run obsolete code, in which no breakpoint is hit; and methods that an earlier change
// has left alone, which do no harm as long as they have the same code.
//
// One object is for one redefinition. Agent threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/code/code_users.h"
#include "agent/code/older_versions.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::code {

class CodeChanges;
class CodeVersions;

class RenewingRedefinition {
 public:
  RenewingRedefinition(const jvm::Env& env, CodeChanges& changes, CodeVersions& versions,
                       const CodeUsers& users)
      : env_(env), changes_(changes), versions_(versions), users_(users) {}

  // Decides what becomes of the methods of the next class to be redefined.
  void add(const jvm::Jni& jni, const jvmtiClassDefinition& wanted);
  // Redefines all classes that were added.
  [[nodiscard]] jvm::Result<void> redefine(std::span<const jvmtiClassDefinition> classes);

  // Returns the class file that the VM was given for a class.
  [[nodiscard]] std::span<const std::uint8_t> given(std::size_t at) const {
    return classes_[at].given;
  }

 private:
  struct Class {
    std::optional<jint> times{};                            // how often it was changed before
    std::set<jmethodID> changed{};                          // those that get other code, or may
    std::map<std::uint16_t, std::set<jmethodID>> depths{};  // by how many words they get deeper
    std::vector<std::uint8_t> given{};                      // the class file that the VM was given
  };

  [[nodiscard]] std::map<jmethodID, std::uint16_t> alike_in(const jvmtiClassDefinition& wanted,
                                                            const CodeMethods& all);
  [[nodiscard]] std::set<jmethodID> with_frames(const jvm::Jni& jni, jclass type,
                                                const std::set<jmethodID>& methods);

  const jvm::Env& env_;
  CodeChanges& changes_;
  CodeVersions& versions_;
  const CodeUsers& users_;
  std::vector<Class> classes_;
};

}  // namespace jvmdebug::agent::code
