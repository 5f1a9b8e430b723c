// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/log_points.h"

#include "agent/java/generated/agent_classes.h"
#include "agent/probes/check_fields.h"
#include "agent/probes/left_class.h"
#include "agent/probes/probe_list.h"

namespace jvmdebug::agent::probes {

Outcome LogPoints::prepare(const jvm::Jni& jni) {
  if (ring_.is_made()) {
    ring_.open(jni);  // checks that an earlier debugger has left may still write
    return {};
  }
  if (!class_) {
    const auto found = left_or_defined(env_, jni, kLogClass, java::log_class());
    if (!found) {
      return std::unexpected(found.error());
    }
    class_ = jni.global(found->get());
  }
  if (!ring_.make(jni, class_)) {
    return std::unexpected("the program has no room for the records of log points");
  }
  ring_.open(jni);
  return {};
}

LogRing::Records LogPoints::read(std::size_t most, jsize longest) {
  return ring_.read(env_, objects_, most, longest);
}

std::vector<LostRecords> LogPoints::lost() const {
  std::vector<LostRecords> found;
  const jvm::Jni jni = env_.jni();
  for (const auto& probe : probes_.on()) {
    if (probe->writes_log) {
      found.push_back(
          {.request_id = probe->request->id, .count = count_of(jni, probe->kept[kLost])});
    }
  }
  return found;
}

void LogPoints::close() {
  ring_.close(env_.jni());
}

}  // namespace jvmdebug::agent::probes
