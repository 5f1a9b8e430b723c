// SPDX-License-Identifier: Apache-2.0
//
// JVM TI of the fake VM: tags, walks over the heap, modules.
#include <algorithm>
#include <deque>
#include <unordered_set>

#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {
namespace {

const Environment* environment_of(jvmtiEnv* env) {
  return static_cast<const Environment*>(env);
}

jlong tag_of(const Object& object, const Environment* environment) {
  const auto found = object.tags.find(environment);
  return found == object.tags.end() ? 0 : found->second;
}

jvmtiError JNICALL get_tag(jvmtiEnv* env, jobject reference, jlong* tag) {
  const Entry entry(env, "GetTag");
  const Object* const object = entry.object(reference);
  if (object == nullptr) {
    return JVMTI_ERROR_INVALID_OBJECT;
  }
  *tag = tag_of(*object, environment_of(env));
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_hash_code(jvmtiEnv* env, jobject reference, jint* hash) {
  const Entry entry(env, "GetObjectHashCode");
  const Object* const object = entry.object(reference);
  if (object == nullptr) {
    return JVMTI_ERROR_INVALID_OBJECT;
  }
  constexpr unsigned kAlignment = 4;
  *hash = static_cast<jint>(reinterpret_cast<std::uintptr_t>(object) >> kAlignment);
  return JVMTI_ERROR_NONE;
}

void put_tag(Object& object, const Environment* environment, jlong tag) {
  if (tag == 0) {
    object.tags.erase(environment);
  } else {
    object.tags[environment] = tag;
  }
}

jvmtiError JNICALL set_tag(jvmtiEnv* env, jobject reference, jlong tag) {
  const Entry entry(env, "SetTag");
  Object* const object = entry.object(reference);
  if (object == nullptr) {
    return JVMTI_ERROR_INVALID_OBJECT;
  }
  put_tag(*object, environment_of(env), tag);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_tagged(jvmtiEnv* env, jint tag_count, const jlong* tags, jint* count,
                              jobject** objects, jlong** found_tags) {
  const Entry entry(env, "GetObjectsWithTags");
  if (tag_count <= 0) {
    return JVMTI_ERROR_ILLEGAL_ARGUMENT;
  }
  std::vector<Object*> found;
  for (const auto& object : entry.vm.objects()) {
    const jlong tag = tag_of(*object, environment_of(env));
    if (tag != 0 && std::find(tags, tags + tag_count, tag) != tags + tag_count) {
      found.push_back(object.get());
    }
  }
  entry.vm.list(found, count, objects);
  if (found_tags != nullptr) {
    refuse(entry.function, "the fake VM does not give the tags");
  }
  return JVMTI_ERROR_NONE;
}

// A walk over the heap: each reachable object is visited once for each reference to it.
class Walk {
 public:
  Walk(const Entry& entry, const Environment* environment, const Class* wanted,
       const jvmtiHeapCallbacks& callbacks, const void* context)
      : entry_(entry),
        environment_(environment),
        wanted_(wanted),
        callbacks_(callbacks),
        context_(const_cast<void*>(context)) {}

  void from_roots() {
    for (const auto& object : entry_.vm.objects()) {
      if (object->permanent) {
        visit(JVMTI_HEAP_REFERENCE_OTHER, nullptr, *object);
      }
    }
    while (!open_.empty() && !aborted_) {
      Object* const next = open_.front();
      open_.pop_front();
      follow(*next);
    }
  }

 private:
  void follow(Object& from) {
    for (const auto& [field, cell] : from.fields) {
      if (cell.object != nullptr) {
        visit(JVMTI_HEAP_REFERENCE_FIELD, &from, *cell.object);
      }
    }
    for (const Cell& cell : from.elements) {
      if (cell.object != nullptr) {
        visit(JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT, &from, *cell.object);
      }
    }
  }

  void visit(jvmtiHeapReferenceKind kind, Object* from, Object& to) {
    if (aborted_) {
      return;
    }
    jlong tag = tag_of(to, environment_);
    jlong from_tag = from == nullptr ? 0 : tag_of(*from, environment_);
    jint outcome = JVMTI_VISIT_OBJECTS;
    if (wanted_ == nullptr || to.type == wanted_) {
      outcome = callbacks_.heap_reference_callback(
          kind, nullptr, tag_of(*to.type->mirror, environment_),
          from == nullptr ? 0 : tag_of(*from->type->mirror, environment_), 16, &tag,
          from == nullptr ? nullptr
          : from == &to   ? &tag
                          : &from_tag,
          to.type->is_array() ? static_cast<jint>(to.elements.size()) : -1, context_);
      put_tag(to, environment_, tag);
      if (from != nullptr && from != &to) {
        put_tag(*from, environment_, from_tag);
      }
    }
    aborted_ = (outcome & JVMTI_VISIT_ABORT) != 0;
    if ((outcome & JVMTI_VISIT_OBJECTS) != 0 && seen_.insert(&to).second) {
      open_.push_back(&to);
    }
  }

  const Entry& entry_;
  const Environment* environment_;
  const Class* wanted_;
  const jvmtiHeapCallbacks& callbacks_;
  void* context_;
  std::unordered_set<const Object*> seen_;
  std::deque<Object*> open_;
  bool aborted_ = false;
};

jvmtiError JNICALL follow_references(jvmtiEnv* env, jint /*filter*/, jclass type, jobject initial,
                                     const jvmtiHeapCallbacks* callbacks, const void* context) {
  const Entry entry(env, "FollowReferences");
  const Class* const wanted = entry.class_or_null(type);
  if (type != nullptr && wanted == nullptr) {
    return JVMTI_ERROR_INVALID_CLASS;
  }
  if (callbacks->heap_reference_callback == nullptr) {
    refuse(entry.function, "the fake VM wants a reference callback");
  }
  if (initial != nullptr) {
    return JVMTI_ERROR_NONE;  // as if the object had no references
  }
  if (wanted != nullptr && wanted->is_interface()) {
    return JVMTI_ERROR_NONE;  // as the specification says
  }
  Walk(entry, environment_of(env), wanted, *callbacks, context).from_roots();
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL iterate_through_heap(jvmtiEnv* env, jint filter, jclass type,
                                        const jvmtiHeapCallbacks* callbacks, const void* context) {
  const Entry entry(env, "IterateThroughHeap");
  const Class* const wanted = entry.class_or_null(type);
  for (const auto& object : entry.vm.objects()) {
    jlong tag = tag_of(*object, environment_of(env));
    const bool is_left_out = (filter & JVMTI_HEAP_FILTER_UNTAGGED) != 0 && tag == 0;
    if (is_left_out || (wanted != nullptr && object->type != wanted)) {
      continue;
    }
    const jint length = object->type->is_array() ? static_cast<jint>(object->elements.size()) : -1;
    const jint outcome =
        callbacks->heap_iteration_callback(tag_of(*object->type->mirror, environment_of(env)), 16,
                                           &tag, length, const_cast<void*>(context));
    put_tag(*object, environment_of(env), tag);
    if ((outcome & JVMTI_VISIT_ABORT) != 0) {
      break;
    }
  }
  return JVMTI_ERROR_NONE;
}

// Does nothing: objects of the fake VM become garbage only when the test says so.
jvmtiError JNICALL force_collection(jvmtiEnv* env) {
  const Entry entry(env, "ForceGarbageCollection");
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_all_modules(jvmtiEnv* env, jint* count, jobject** modules) {
  const Entry entry(env, "GetAllModules");
  std::vector<Object*> found;
  for (const auto& object : entry.vm.objects()) {
    if (object->type->signature == "Ljava/lang/Module;") {
      found.push_back(object.get());
    }
  }
  entry.vm.list(found, count, modules);
  return JVMTI_ERROR_NONE;
}

}  // namespace

void add_heap_functions(jvmtiInterface_1_& table) {
  table.GetTag = get_tag;
  table.GetObjectHashCode = get_hash_code;
  table.SetTag = set_tag;
  table.GetObjectsWithTags = get_tagged;
  table.FollowReferences = follow_references;
  table.IterateThroughHeap = iterate_through_heap;
  table.ForceGarbageCollection = force_collection;
  table.GetAllModules = get_all_modules;
}

}  // namespace jvmdebug::fake
