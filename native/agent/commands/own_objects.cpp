// SPDX-License-Identifier: Apache-2.0
#include "agent/commands/own_objects.h"

#include <algorithm>
#include <iterator>

#include "agent/agent.h"
#include "agent/probes/probe_table.h"
#include "agent/throws/throw_watch.h"

namespace jvmdebug::agent::commands {

std::vector<jvm::LocalRef<jobject>> own_objects(Agent& agent) {
  const jvm::Jni jni = agent.jni();
  auto found = agent.probes().own_objects(jni);
  std::ranges::move(agent.throw_watch().own_objects(jni), std::back_inserter(found));
  return found;
}

jvm::Result<jvm::HeapWalk> walk_of_program(Agent& agent) {
  JVMDEBUG_ASSIGN(auto walk, jvm::HeapWalk::create(agent.jvmti()));
  JVMDEBUG_CHECK(walk.leave_out(own_objects(agent)));
  return walk;
}

}  // namespace jvmdebug::agent::commands
