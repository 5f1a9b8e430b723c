// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/busy_methods.h"

#include <array>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/jvm/carried_threads.h"

namespace jvmdebug::agent::probes {
namespace {

constexpr jint kNotInJava = JVMTI_THREAD_STATE_SUSPENDED | JVMTI_THREAD_STATE_IN_NATIVE;

}  // namespace

std::set<jmethodID> busy_methods(Agent& agent) {
  const jvm::Env& env = agent.jvmti();
  const jvm::Jni jni = agent.jni();
  const jvm::CarriedThreads carriers(env);
  std::set<jmethodID> found;
  const auto all = env.get_all_threads();
  if (!all) {
    return found;
  }
  for (auto* const raw : *all) {
    const auto platform = jni.adopt(raw);
    // JVM TI says that the carrier of a mounted virtual thread waits, so look at the virtual
    // thread.
    const auto carried = carriers.carried_by(jni, platform);
    jthread const thread = carried ? carried.get() : platform.get();
    const jint state = env.get_thread_state(thread).value_or(0);
    if ((state & JVMTI_THREAD_STATE_RUNNABLE) == 0 || (state & kNotInJava) != 0) {
      continue;
    }
    std::array<jvmtiFrameInfo, 1> top{};
    if (env.get_actual_stack_trace(thread, 0, top).value_or(0) == 1) {
      found.insert(agent.code_versions().method(top.front().method)->shown);
    }
  }
  return found;
}

}  // namespace jvmdebug::agent::probes
