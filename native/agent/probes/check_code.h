// SPDX-License-Identifier: Apache-2.0
//
// Changes the code of checks. Their classes are the agent's own, so this is no change of the
// program's code: they are redefined at once, even while threads run them. Agent threads, one at a
// time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/result.h"
#include "agent/probes/probed_class.h"

namespace jvmdebug::agent::code {
class CodeVersions;
}

namespace jvmdebug::agent::probes {

class OldFrames;

class CheckCode {
 public:
  CheckCode(const jvm::Env& env, code::CodeVersions& versions, OldFrames& old_frames)
      : env_(env), versions_(versions), old_frames_(old_frames) {}

  // Gives the check of a probe another class file.
  [[nodiscard]] jvm::Result<void> change(Probe& probe, const std::vector<std::uint8_t>& class_file);
  // Has the checks do nothing from now on.
  void silence(std::span<const std::shared_ptr<Probe>> probes);

 private:
  // The classes of checks, with the code that they get.
  struct NewChecks {
    std::vector<jvm::LocalRef<jclass>> types;  // keep the classes that the definitions name
    std::vector<jvmtiClassDefinition> definitions;

    // Adds a class, unless it was unloaded.
    void add(jvm::LocalRef<jclass> type, std::span<const std::uint8_t> class_file);
  };

  [[nodiscard]] jvm::Result<void> redefine(const NewChecks& checks);

  const jvm::Env& env_;
  code::CodeVersions& versions_;
  OldFrames& old_frames_;
};

}  // namespace jvmdebug::agent::probes
