// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/histogram.h"

#include <cstddef>
#include <utility>

namespace jvmdebug::agent::heap {
namespace {

// JVM TI prescribes the parameters.
// NOLINTBEGIN(readability-non-const-parameter)
jint JNICALL on_object(jlong class_tag, jlong size, jlong* /*tag*/, jint /*length*/,
                       void* context) {
  auto& usages = *static_cast<std::vector<ClassUsage>*>(context);
  // 0: of a class that was loaded since.
  if (class_tag > 0 && static_cast<std::size_t>(class_tag) <= usages.size()) {
    ClassUsage& usage = usages[static_cast<std::size_t>(class_tag) - 1];
    ++usage.instances;
    usage.size += size;
  }
  return 0;
}

// NOLINTEND(readability-non-const-parameter)

}  // namespace

jvm::Result<std::vector<ClassUsage>> count_objects(const jvm::Env& env) {
  JVMDEBUG_ASSIGN(const auto own, jvm::Env::create(env.vm()));
  JVMDEBUG_CHECK(own.add_capabilities({jvm::Capability::kTagObjects}));
  JVMDEBUG_ASSIGN(const auto types, own.get_loaded_classes());
  const jvm::Jni jni = own.jni();
  std::vector<ClassUsage> usages;
  usages.reserve(types.size());
  for (jclass type : types) {
    const auto owned = jni.adopt(type);
    JVMDEBUG_ASSIGN(const auto signature, own.get_class_signature_only(type));
    usages.push_back({.signature = std::string(signature.view())});
    JVMDEBUG_CHECK(own.set_tag(type, static_cast<jlong>(usages.size())));
  }
  jvmtiHeapCallbacks callbacks{};
  callbacks.heap_iteration_callback = on_object;
  JVMDEBUG_CHECK(own.iterate_through_heap(0, nullptr, callbacks, &usages));
  std::erase_if(usages, [](const ClassUsage& usage) { return usage.instances == 0; });
  return usages;
}

}  // namespace jvmdebug::agent::heap
