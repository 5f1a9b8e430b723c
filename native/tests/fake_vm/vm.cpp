// SPDX-License-Identifier: Apache-2.0
//
// Vm: references, memory, classes and objects. Threads are in vm_threads.cpp.
#include "tests/fake_vm/vm.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace jvmdebug::fake {

void refuse(const char* function, std::string_view why) {
  std::fprintf(stderr, "fake VM: %s: %.*s\n", function, static_cast<int>(why.size()), why.data());
  std::fflush(stderr);
  std::abort();
}

Vm::Vm(Settings settings) : settings_(std::move(settings)) {
  java_vm_.vm = this;
  java_vm_.functions = invoke_table();
}

// --- references --------------------------------------------------------------------------------

jobject Vm::reference(Object* object, HandleKind kind) {
  const OwnMemory memory;
  const std::scoped_lock lock(mutex_);
  if (object == nullptr) {
    return nullptr;
  }
  next_handle_ += 16;  // never one that was there before
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a reference is only ever looked up
  auto* const made = reinterpret_cast<jobject>(next_handle_);
  Thread* const owner = kind == HandleKind::kLocal ? current() : nullptr;
  handles_.emplace(made, Handle{.kind = kind, .object = object, .owner = owner});
  if (owner != nullptr) {
    owner->locals.back().push_back(made);
  }
  return made;
}

jobject Vm::local(Object* object) {
  return reference(object, HandleKind::kLocal);
}

Object* Vm::object(jobject reference, const char* function) {
  if (reference == nullptr) {
    return nullptr;
  }
  const auto found = handles_.find(reference);
  if (found == handles_.end()) {
    refuse(function, "a reference that is none, or none any more");
  }
  if (found->second.owner != nullptr && found->second.owner != current()) {
    refuse(function, "a local reference of another thread");
  }
  return found->second.object;
}

void Vm::release(jobject reference, HandleKind kind, const char* function) {
  if (reference == nullptr) {
    return;
  }
  (void)object(reference, function);
  const auto found = handles_.find(reference);
  if (found->second.kind != kind) {
    refuse(function, "a reference of another kind");
  }
  if (found->second.owner != nullptr) {
    for (auto& frame : found->second.owner->locals) {
      std::erase(frame, reference);
    }
  }
  handles_.erase(found);
}

void Vm::push_locals() {
  const std::scoped_lock lock(mutex_);
  current()->locals.emplace_back();
}

void Vm::pop_locals() {
  const std::scoped_lock lock(mutex_);
  Thread& self = *current();
  if (self.locals.size() < 2) {
    refuse("PopLocalFrame", "without a PushLocalFrame");
  }
  for (auto* const reference : self.locals.back()) {
    handles_.erase(reference);
  }
  self.locals.pop_back();
}

std::size_t Vm::count(HandleKind kind) const {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(handles_, [&](const auto& item) { return item.second.kind == kind; }));
}

// --- memory ------------------------------------------------------------------------------------

unsigned char* Vm::allocate(std::size_t size) {
  const std::scoped_lock lock(mutex_);
  auto memory = std::make_unique<unsigned char[]>(size);
  auto* const start = memory.get();
  memory_.emplace(start, std::move(memory));
  return start;
}

void Vm::deallocate(unsigned char* memory) {
  const std::scoped_lock lock(mutex_);
  if (memory != nullptr && memory_.erase(memory) == 0) {
    refuse("Deallocate", "memory that is not JVM TI's, or was given back already");
  }
}

char* Vm::text(std::string_view content) {
  auto* const memory = reinterpret_cast<char*>(allocate(content.size() + 1));
  std::memcpy(memory, content.data(), content.size());
  return memory;
}

// --- classes and objects -----------------------------------------------------------------------

Class& Vm::add_class(std::string signature, Class* superclass) {
  auto& added = *classes_.emplace_back(std::make_unique<Class>());
  added.signature = std::move(signature);
  added.superclass = superclass;
  added.status =
      JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED | JVMTI_CLASS_STATUS_INITIALIZED;
  return added;
}

Field& Vm::add_field(Class& type, std::string name, std::string signature, jint modifiers) {
  auto& added = *owned_fields_.emplace_back(std::make_unique<Field>());
  added.declaring = &type;
  added.name = std::move(name);
  added.signature = std::move(signature);
  added.modifiers = modifiers;
  std::uintptr_t position = 0;
  for (const Class* each = &type; each != nullptr; each = each->superclass) {
    position += static_cast<std::uintptr_t>(std::ranges::count_if(
        each->fields, [](const Field* field) { return !field->is_static(); }));
  }
  const std::uintptr_t id = added.is_static() ? owned_fields_.size() * 4 : position * 4 + 1;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): as in HotSpot, no address
  added.id = reinterpret_cast<jfieldID>(id);
  type.fields.push_back(&added);
  if (added.is_static()) {
    type.statics.emplace(&added, Cell{});
  }
  return added;
}

Method& Vm::add_method(Class& type, std::string name, std::string descriptor, jint modifiers) {
  auto& added = *owned_methods_.emplace_back(std::make_unique<Method>());
  added.declaring = &type;
  added.name = std::move(name);
  added.descriptor = std::move(descriptor);
  added.modifiers = modifiers;
  type.methods.push_back(&added);
  methods_.push_back(&added);
  return added;
}

Object& Vm::add_object(Class& type, bool permanent) {
  const std::scoped_lock lock(mutex_);
  auto& added = *objects_.emplace_back(std::make_unique<Object>());
  added.type = &type;
  added.permanent = permanent;
  for (const Class* each = &type; each != nullptr; each = each->superclass) {
    for (const Field* field : each->fields) {
      if (!field->is_static()) {
        added.fields.emplace(field, Cell{});
      }
    }
  }
  return added;
}

Object& Vm::make_string(std::u16string text) {
  Object& made = add_object(*class_named("Ljava/lang/String;"), false);
  made.text = std::move(text);
  return made;
}

Class* Vm::class_named(std::string_view signature) {
  const auto found = std::ranges::find_if(
      classes_, [&](const auto& candidate) { return candidate->signature == signature; });
  return found == classes_.end() ? nullptr : found->get();
}

bool Vm::is_subclass(const Class* type, const Class* of) {
  if (type == nullptr || of == nullptr) {
    return false;
  }
  if (type == of) {
    return true;
  }
  if (type->is_array() && of->is_array() && is_subclass(type->component, of->component)) {
    return type->component->signature.size() > 1 || type->component == of->component;
  }
  return is_subclass(type->superclass, of) ||
         std::ranges::any_of(type->interfaces,
                             [&](const Class* each) { return is_subclass(each, of); });
}

bool Vm::is_a(const Object* object, std::string_view signature) {
  return object != nullptr && is_subclass(object->type, class_named(signature));
}

Field* Vm::find_field(const Class* type, jfieldID id, bool wants_static) {
  for (; type != nullptr; type = type->superclass) {
    for (Field* field : type->fields) {
      if (field->id == id && field->is_static() == wants_static) {
        return field;
      }
    }
    for (const Class* each : type->interfaces) {
      if (Field* const field = find_field(each, id, wants_static)) {
        return field;
      }
    }
  }
  return nullptr;
}

Method* Vm::method(jmethodID id, const char* function) {
  auto* const wanted = reinterpret_cast<Method*>(id);
  if (std::ranges::find(methods_, wanted) == methods_.end()) {
    refuse(function, "a method id that is none");
  }
  return wanted;
}

std::vector<Class*> Vm::classes() const {
  std::vector<Class*> all;
  all.reserve(classes_.size());
  for (const auto& each : classes_) {
    all.push_back(each.get());
  }
  return all;
}

// --- garbage -----------------------------------------------------------------------------------

void Vm::mark(std::unordered_set<const Object*>& marked, Object* object) const {
  std::vector<const Object*> open = {object};
  while (!open.empty()) {
    const Object* const next = open.back();
    open.pop_back();
    if (next == nullptr || !marked.insert(next).second) {
      continue;
    }
    for (const auto& [field, cell] : next->fields) {
      open.push_back(cell.object);
    }
    for (const Cell& cell : next->elements) {
      open.push_back(cell.object);
    }
  }
}

void Vm::mark_roots(std::unordered_set<const Object*>& marked) const {
  for (const auto& object : objects_) {
    if (object->permanent) {
      mark(marked, object.get());
    }
  }
  for (const auto& [reference, handle] : handles_) {
    if (handle.kind != HandleKind::kWeak) {
      mark(marked, handle.object);
    }
  }
  for (const auto& type : classes_) {
    for (const auto& [field, cell] : type->statics) {
      mark(marked, cell.object);
    }
  }
  for (const auto& thread : threads_) {
    mark(marked, thread->exception);
    for (const Frame& frame : thread->frames) {
      mark(marked, frame.self);
      for (const Cell& slot : frame.slots) {
        mark(marked, slot.object);
      }
    }
  }
}

void Vm::notify_freed(const Object& object) {
  constexpr std::size_t kObjectFree = JVMTI_EVENT_OBJECT_FREE - JVMTI_MIN_EVENT_TYPE_VAL;
  for (const auto& [environment, tag] : object.tags) {
    const auto callback =
        reinterpret_cast<jvmtiEventObjectFree>(environment->callbacks.at(kObjectFree));
    if (tag != 0 && callback != nullptr && environment->events.contains(JVMTI_EVENT_OBJECT_FREE)) {
      call_back([&] { callback(const_cast<Environment*>(environment), tag); });
    }
  }
}

void Vm::collect() {
  const std::scoped_lock lock(mutex_);
  std::unordered_set<const Object*> marked;
  mark_roots(marked);
  for (auto& [reference, handle] : handles_) {
    if (handle.object != nullptr && !marked.contains(handle.object)) {
      handle.object = nullptr;
    }
  }
  collecting_ = true;
  for (const auto& object : objects_) {
    if (!marked.contains(object.get())) {
      notify_freed(*object);
      std::erase_if(threads_, [&](const auto& thread) {
        return thread->object == object.get() && thread->life == Life::kNew;
      });
    }
  }
  collecting_ = false;
  std::erase_if(objects_, [&](const auto& object) { return !marked.contains(object.get()); });
}

// --- environments ------------------------------------------------------------------------------

Environment& Vm::add_environment() {
  const std::scoped_lock lock(mutex_);
  auto& added = *environments_.emplace_back(std::make_unique<Environment>());
  added.vm = this;
  added.functions = jvmti_table();
  return added;
}

void Vm::dispose(Environment& environment) {
  const std::scoped_lock lock(mutex_);
  for (const auto& object : objects_) {
    object->tags.erase(&environment);
  }
  std::erase_if(environments_, [&](const auto& each) { return each.get() == &environment; });
}

}  // namespace jvmdebug::fake
