// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/log_points.h"

#include "agent/java/generated/agent_classes.h"
#include "agent/probes/check_fields.h"
#include "agent/probes/left_class.h"
#include "agent/probes/probe_list.h"

namespace jvmdebug::agent::probes {

Outcome LogPoints::prepare(const jvm::Jni& jni) {
  if (!class_) {
    const auto found = left_or_defined(env_, jni, kLogClass, java::log_class());
    if (!found) {
      return std::unexpected(found.error());
    }
    if (!ring_.prepare(jni, *found)) {
      return std::unexpected("an agent of another version has left its class of log records");
    }
    class_ = jni.global(found->get());
  }
  if (!ring_.open(jni)) {
    return std::unexpected("the program has no room for the records of log points");
  }
  return {};
}

LogRing::Records LogPoints::read(std::size_t most, jsize longest) {
  auto records = ring_.read(env_, objects_, most, longest);
  if (!records.has_more) {
    free_unused(env_.jni());
  }
  return records;
}

void LogPoints::free_unused(const jvm::Jni& jni) {
  if (ring_.is_open() && !probes_.has_log() && ring_.is_drained(jni)) {
    ring_.close(jni);
  }
}

std::vector<jvm::LocalRef<jobject>> LogPoints::objects(const jvm::Jni& jni) const {
  return ring_.objects(jni);
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
