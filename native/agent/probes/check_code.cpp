// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/check_code.h"

#include <utility>

#include "agent/code/code_versions.h"
#include "agent/probes/old_frames.h"

namespace jvmdebug::agent::probes {

void CheckCode::NewChecks::add(jvm::LocalRef<jclass> type,
                               std::span<const std::uint8_t> class_file) {
  if (type) {
    definitions.push_back({.klass = type.get(),
                           .class_byte_count = static_cast<jint>(class_file.size()),
                           .class_bytes = class_file.data()});
    types.push_back(std::move(type));
  }
}

jvm::Result<void> CheckCode::redefine(const NewChecks& checks) {
  auto done = env_.redefine_classes(checks.definitions);
  versions_.forget();
  const jvm::Jni jni = env_.jni();
  old_frames_.look(jni, old_frames_.stacks_or_known(jni));
  return done;
}

jvm::Result<void> CheckCode::change(Probe& probe, const std::vector<std::uint8_t>& class_file) {
  NewChecks checks;
  checks.add(probe.check_type(env_.jni()), class_file);
  JVMDEBUG_CHECK(redefine(checks));
  probe.check->class_file = class_file;
  return {};
}

void CheckCode::silence(std::span<const std::shared_ptr<Probe>> probes) {
  const jvm::Jni jni = env_.jni();
  std::vector<std::vector<std::uint8_t>> class_files;
  NewChecks checks;
  for (const auto& probe : probes) {
    if (std::exchange(probe->check->is_silent, true)) {
      continue;
    }
    if (auto silent = silent_check(probe->check->class_file)) {
      class_files.push_back(std::move(*silent));
      checks.add(probe->check_type(jni), class_files.back());
    }
  }
  if (!checks.types.empty()) {
    (void)redefine(checks);
  }
}

}  // namespace jvmdebug::agent::probes
