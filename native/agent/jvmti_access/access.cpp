// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti_access/access.h"

#include <array>
#include <utility>

#include "agent/agent.h"
#include "agent/jvm/capabilities.h"
#include "agent/jvmti_access/jni_counts.h"
#include "agent/jvmti_access/more_capabilities.h"

namespace jvmdebug::agent::jvmti_access {
namespace {

using jvm::Capability;

constexpr jlong kFound = 1;

// Follows no reference further than the class. JVM TI prescribes the parameters.
// NOLINTNEXTLINE(readability-non-const-parameter)
jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo* /*detail*/,
                          jlong /*class_tag*/, jlong /*referrer_class_tag*/, jlong /*size*/,
                          jlong* tag, jlong* /*referrer_tag*/, jint /*length*/, void* /*context*/) {
  if (kind == JVMTI_HEAP_REFERENCE_PROTECTION_DOMAIN) {
    *tag = kFound;
    return JVMTI_VISIT_ABORT;
  }
  return 0;
}

}  // namespace

jvm::Result<const jvm::Env*> Access::side() {
  if (!side_) {
    JVMDEBUG_ASSIGN(auto env, jvm::Env::create(agent_.jvmti().vm()));
    JVMDEBUG_ASSIGN(
        const auto taken,
        jvm::take(env,
                  {Capability::kGetThreadCpuTime, kGetCurrentThreadCpuTime, Capability::kTagObjects,
                   kSetNativeMethodPrefix, Capability::kRetransformClasses,
                   Capability::kRetransformAnyClass, Capability::kRedefineAnyClass}));
    env.set_capabilities(taken);
    side_ = std::make_unique<jvm::Env>(std::move(env));
  }
  return side_.get();
}

void Access::end(const jvm::Jni& jni) {
  events_.stop();
  // Fails only if memory for a function table runs out; then calls are still counted.
  (void)JniCounts::stop(agent_.jvmti().raw());
  redirects_.undo_all(jni);
  side_.reset();  // and the prefixes with it
}

jvm::Result<jobject> protection_domain(JavaVM* vm, jclass type) {
  JVMDEBUG_ASSIGN(auto env, jvm::Env::create(vm));  // its tags end with it
  JVMDEBUG_CHECK(env.add_capabilities({Capability::kTagObjects}));
  jvmtiHeapCallbacks callbacks{};
  callbacks.heap_reference_callback = on_reference;
  JVMDEBUG_CHECK(env.follow_references(0, nullptr, type, callbacks, nullptr));
  const std::array<jlong, 1> tags{kFound};
  JVMDEBUG_ASSIGN(const auto found, env.get_objects_with_tags(tags));
  return found.empty() ? nullptr : found[0];
}

}  // namespace jvmdebug::agent::jvmti_access
