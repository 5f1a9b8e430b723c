// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/stored_values.h"

#include <memory>
#include <mutex>
#include <utility>

#include "agent/events/event_request.h"
#include "agent/events/method_exits.h"
#include "agent/events/operand_reader.h"

namespace jvmdebug::agent::probes {

using events::WatchedElements;
using threads::StoredElement;
using threads::Tracked;

void StoredValues::note_element(const jvm::Jni& jni, const Tracked& self,
                                const events::EventRequest& request, jint index, jlong bits,
                                jobject reference) {
  const auto elements = request.elements.load();
  if (!elements) {
    return;
  }
  auto stored = std::make_shared<StoredElement>();
  stored->index = index;
  stored->value.type = elements->type;
  if (stored->value.is_reference()) {
    stored->object = jni.weak(reference);
  } else {
    stored->value.value = events::value_of_slot(bits, elements->type).value_or(jvalue{});
  }
  keep(self, std::move(stored));
}

void StoredValues::note(const jvm::Jni& jni, const Tracked& self, const Probe& probe,
                        jobjectArray references, jlongArray others) {
  const auto& loads = probe.call.loads;
  const Load first = loads.empty() ? Load{} : loads.front();
  if (probe.request->written_type != 0) {
    const bool has_object = first.type == kFieldStore;
    jlong bits = 0;
    jvm::LocalRef<jobject> object;
    jvm::LocalRef<jobject> reference;
    if (has_object) {
      object = jni.adopt(jni->GetObjectArrayElement(references, 0));
    }
    if ((has_object ? static_cast<char>(first.slot) : first.type) == 'A') {
      reference = jni.adopt(jni->GetObjectArrayElement(references, has_object ? 1 : 0));
    } else {
      jni->GetLongArrayRegion(others, 0, 1, &bits);
    }
    if (!jni.clear_exception()) {
      note_write(jni, self, *probe.request, object, bits, reference);
    }
    return;
  }
  if (first.type != kArrayStore) {
    return;
  }
  const bool is_reference = first.slot == 'A';
  jlong index = 0;
  jlong bits = 0;
  jni->GetLongArrayRegion(others, 0, 1, &index);
  jvm::LocalRef<jobject> reference;
  if (is_reference) {
    reference = jni.adopt(jni->GetObjectArrayElement(references, 1));
  } else {
    jni->GetLongArrayRegion(others, 1, 1, &bits);
  }
  if (!jni.clear_exception()) {
    note_element(jni, self, *probe.request, static_cast<jint>(index), bits, reference);
  }
}

bool StoredValues::read_element(const jvm::Jni& jni, const Tracked& self,
                                const WatchedElements& elements) {
  const auto found = exits_.operands().store(jni, elements.type);
  if (!self || !found || !elements.has(found->index) || !jni.same(found->array, elements.array)) {
    if (found && found->value.is_reference()) {
      jni->DeleteLocalRef(found->value.value.l);
    }
    return false;
  }
  auto stored = std::make_shared<StoredElement>();
  stored->index = found->index;
  stored->value = found->value;
  if (found->value.is_reference()) {
    stored->object = jni.weak(found->value.value.l);
    jni->DeleteLocalRef(found->value.value.l);
    stored->value.value = {};
  }
  keep(self, std::move(stored));
  return true;
}

void StoredValues::note_write(const jvm::Jni& jni, const Tracked& self,
                              const events::EventRequest& request, jobject object, jlong bits,
                              jobject reference) {
  auto stored = std::make_shared<StoredElement>();
  stored->value.type = request.written_type;
  if (object != nullptr) {
    stored->owner = jni.weak(object);
  }
  if (!stored->value.is_reference()) {
    stored->value.value = events::value_of_slot(bits, stored->value.type).value_or(jvalue{});
  } else if (reference != nullptr) {
    stored->object = jni.weak(reference);
  }
  keep(self, std::move(stored));
}

void StoredValues::read_write(const jvm::Jni& jni, const Tracked& self, char type, bool is_static) {
  if (!self) {
    return;
  }
  auto stored = std::make_shared<StoredElement>();
  stored->value.type = 'V';
  if (const auto found = exits_.operands().field_store(jni, type, is_static)) {
    stored->value = found->value;
    if (found->object) {
      stored->owner = jni.weak(found->object);
    }
    if (found->value.is_reference()) {
      stored->object = jni.weak(found->value.value.l);
      jni->DeleteLocalRef(found->value.value.l);
      stored->value.value = {};
    }
  }
  keep(self, std::move(stored));
}

// Keeps nothing while the thread runs a method for the debugger, which may still ask about the stop
// before.
void StoredValues::keep(const Tracked& self, std::shared_ptr<const StoredElement> stored) {
  if (self->invocations == 0) {
    const std::scoped_lock lock(mutex_);
    self->stored.swap(stored);  // the object from before is released after the lock
  }
}

std::shared_ptr<const StoredElement> StoredValues::last(const Tracked& thread) const {
  const std::scoped_lock lock(mutex_);
  return thread->stored;
}

}  // namespace jvmdebug::agent::probes
