// SPDX-License-Identifier: Apache-2.0
// The part of jvm::Env for classes, modules, objects, fields and methods.
#include <algorithm>

#include "agent/jvm/env.h"
#include "agent/jvm/local_capacity.h"

namespace jvmdebug::agent::jvm {

// --- classes and modules
// --------------------------------------------------------------------------

Result<Buffer<jclass>> Env::get_loaded_classes() const {
  return announced(*this, list<jclass>(&jvmtiEnv::GetLoadedClasses));
}

Result<Buffer<jclass>> Env::get_class_loader_classes(jobject loader) const {
  return announced(*this, list<jclass>(&jvmtiEnv::GetClassLoaderClasses, loader));
}

Result<jint> Env::get_class_status(jclass type) const {
  return get<jint>(&jvmtiEnv::GetClassStatus, type);
}

Result<ModifiedUtf8> Env::get_source_file_name(jclass type) const {
  return text(&jvmtiEnv::GetSourceFileName, type);
}

Result<ModifiedUtf8> Env::get_source_debug_extension(jclass type) const {
  return text(&jvmtiEnv::GetSourceDebugExtension, type);
}

Result<jint> Env::get_class_modifiers(jclass type) const {
  return get<jint>(&jvmtiEnv::GetClassModifiers, type);
}

Result<Buffer<jmethodID>> Env::get_class_methods(jclass type) const {
  return list<jmethodID>(&jvmtiEnv::GetClassMethods, type);
}

Result<Buffer<jfieldID>> Env::get_class_fields(jclass type) const {
  return list<jfieldID>(&jvmtiEnv::GetClassFields, type);
}

Result<Buffer<jclass>> Env::get_implemented_interfaces(jclass type) const {
  return list<jclass>(&jvmtiEnv::GetImplementedInterfaces, type);
}

Result<bool> Env::is_interface(jclass type) const {
  return truth(&jvmtiEnv::IsInterface, type);
}

Result<bool> Env::is_array_class(jclass type) const {
  return truth(&jvmtiEnv::IsArrayClass, type);
}

Result<jobject> Env::get_class_loader(jclass type) const {
  return get<jobject>(&jvmtiEnv::GetClassLoader, type);
}

Result<Buffer<jobject>> Env::get_all_modules() const {
  return announced(*this, list<jobject>(&jvmtiEnv::GetAllModules));
}

Result<Names> Env::get_class_signature(jclass type) const {
  char* signature = nullptr;
  char* generic = nullptr;
  if (const jvmtiError code = env_->GetClassSignature(type, &signature, &generic);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return Names{{}, ModifiedUtf8(env_, signature), ModifiedUtf8(env_, generic)};
}

Result<ModifiedUtf8> Env::get_class_signature_only(jclass type) const {
  char* signature = nullptr;
  if (const jvmtiError code = env_->GetClassSignature(type, &signature, nullptr);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return ModifiedUtf8(env_, signature);
}

Result<ClassVersion> Env::get_class_version_numbers(jclass type) const {
  ClassVersion version;
  if (const jvmtiError code = env_->GetClassVersionNumbers(type, &version.minor, &version.major);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return version;
}

Result<ConstantPool> Env::get_constant_pool(jclass type) const {
  jint entry_count = 0;
  jint byte_count = 0;
  unsigned char* bytes = nullptr;
  if (const jvmtiError code = env_->GetConstantPool(type, &entry_count, &byte_count, &bytes);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return ConstantPool{entry_count,
                      Buffer<unsigned char>(env_, bytes, static_cast<std::size_t>(byte_count))};
}

Result<void> Env::retransform_classes(std::span<const jclass> types) const {
  return checked(env_->RetransformClasses(static_cast<jint>(types.size()), types.data()));
}

Result<void> Env::redefine_classes(std::span<const jvmtiClassDefinition> definitions) const {
  return checked(env_->RedefineClasses(static_cast<jint>(definitions.size()), definitions.data()));
}

// --- objects and the heap
// -------------------------------------------------------------------------

Result<jint> Env::get_object_hash_code(jobject object) const {
  return get<jint>(&jvmtiEnv::GetObjectHashCode, object);
}

Result<jlong> Env::get_tag(jobject object) const {
  return get<jlong>(&jvmtiEnv::GetTag, object);
}

Result<void> Env::set_tag(jobject object, jlong tag) const {
  return call(&jvmtiEnv::SetTag, object, tag);
}

Result<void> Env::follow_references(jint filter, jclass type, jobject initial,
                                    const jvmtiHeapCallbacks& callbacks,
                                    const void* context) const {
  return call(&jvmtiEnv::FollowReferences, filter, type, initial, &callbacks, context);
}

Result<void> Env::iterate_through_heap(jint filter, jclass type,
                                       const jvmtiHeapCallbacks& callbacks,
                                       const void* context) const {
  return call(&jvmtiEnv::IterateThroughHeap, filter, type, &callbacks, context);
}

Result<Buffer<jobject>> Env::get_objects_with_tags(std::span<const jlong> tags) const {
  jint count = 0;
  jobject* objects = nullptr;
  if (const jvmtiError code = env_->GetObjectsWithTags(static_cast<jint>(tags.size()), tags.data(),
                                                       &count, &objects, nullptr);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return announced<jobject>(*this, Buffer<jobject>(env_, objects, static_cast<std::size_t>(count)));
}

Result<MonitorUsage> Env::get_object_monitor_usage(jobject object) const {
  jvmtiMonitorUsage raw{};
  if (const jvmtiError code = env_->GetObjectMonitorUsage(object, &raw); code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return MonitorUsage{
      raw.owner, raw.entry_count,
      Buffer<jthread>(env_, raw.waiters, static_cast<std::size_t>(raw.waiter_count)),
      Buffer<jthread>(env_, raw.notify_waiters, static_cast<std::size_t>(raw.notify_waiter_count))};
}

// --- fields and methods
// ---------------------------------------------------------------------------

Result<jclass> Env::get_field_declaring_class(jclass type, jfieldID field) const {
  return get<jclass>(&jvmtiEnv::GetFieldDeclaringClass, type, field);
}

Result<jint> Env::get_field_modifiers(jclass type, jfieldID field) const {
  return get<jint>(&jvmtiEnv::GetFieldModifiers, type, field);
}

Result<bool> Env::is_field_synthetic(jclass type, jfieldID field) const {
  return truth(&jvmtiEnv::IsFieldSynthetic, type, field);
}

Result<jclass> Env::get_method_declaring_class(jmethodID method) const {
  return get<jclass>(&jvmtiEnv::GetMethodDeclaringClass, method);
}

Result<jint> Env::get_method_modifiers(jmethodID method) const {
  return get<jint>(&jvmtiEnv::GetMethodModifiers, method);
}

Result<jint> Env::get_arguments_size(jmethodID method) const {
  return get<jint>(&jvmtiEnv::GetArgumentsSize, method);
}

Result<jint> Env::get_max_locals(jmethodID method) const {
  return get<jint>(&jvmtiEnv::GetMaxLocals, method);
}

Result<Buffer<jvmtiLineNumberEntry>> Env::get_line_number_table(jmethodID method) const {
  JVMDEBUG_ASSIGN(auto table, list<jvmtiLineNumberEntry>(&jvmtiEnv::GetLineNumberTable, method));
  if (const auto view = code_view(method)) {
    for (jvmtiLineNumberEntry& entry : table) {
      entry.start_location = view->shown_index(entry.start_location);
    }
  }
  return table;
}

Result<Buffer<unsigned char>> Env::get_actual_bytecodes(jmethodID method) const {
  return list<unsigned char>(&jvmtiEnv::GetBytecodes, method);
}

Result<Buffer<unsigned char>> Env::get_bytecodes(jmethodID method) const {
  JVMDEBUG_ASSIGN(auto actual, get_actual_bytecodes(method));
  const auto view = code_view(method);
  if (!view || !view->is_changed()) {
    return actual;
  }
  const auto shown = view->shown_code(actual.span());
  JVMDEBUG_ASSIGN(auto* const memory, allocate(shown.size()));
  std::ranges::copy(shown, memory);
  return Buffer<unsigned char>(env_, memory, shown.size());
}

Result<bool> Env::is_method_native(jmethodID method) const {
  return truth(&jvmtiEnv::IsMethodNative, method);
}

Result<bool> Env::is_method_synthetic(jmethodID method) const {
  return truth(&jvmtiEnv::IsMethodSynthetic, method);
}

Result<bool> Env::is_method_obsolete(jmethodID method) const {
  return truth(&jvmtiEnv::IsMethodObsolete, method);
}

Result<Names> Env::get_field_name(jclass type, jfieldID field) const {
  char* name = nullptr;
  char* signature = nullptr;
  char* generic = nullptr;
  if (const jvmtiError code = env_->GetFieldName(type, field, &name, &signature, &generic);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return Names{ModifiedUtf8(env_, name), ModifiedUtf8(env_, signature),
               ModifiedUtf8(env_, generic)};
}

Result<Names> Env::get_method_name(jmethodID method) const {
  char* name = nullptr;
  char* signature = nullptr;
  char* generic = nullptr;
  if (const jvmtiError code = env_->GetMethodName(method, &name, &signature, &generic);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return Names{ModifiedUtf8(env_, name), ModifiedUtf8(env_, signature),
               ModifiedUtf8(env_, generic)};
}

Result<MethodExtent> Env::get_method_location(jmethodID method) const {
  MethodExtent extent;
  if (const jvmtiError code = env_->GetMethodLocation(method, &extent.first, &extent.last);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  if (const auto view = code_view(method); view && view->is_changed()) {
    // What is added behind the end has the index behind the end.
    const jlocation behind = view->is_added(extent.last) ? 1 : 0;
    extent = {.first = 0, .last = view->shown_index(extent.last) - behind};
  }
  return extent;
}

Result<std::vector<LocalVariableEntry>> Env::get_local_variable_table(jmethodID method) const {
  JVMDEBUG_ASSIGN(const auto raw,
                  list<jvmtiLocalVariableEntry>(&jvmtiEnv::GetLocalVariableTable, method));
  std::vector<LocalVariableEntry> entries;
  entries.reserve(raw.size());
  const auto view = code_view(method);
  for (const jvmtiLocalVariableEntry& entry : raw) {
    jlocation start = entry.start_location;
    jlocation end = start + entry.length;
    if (view) {
      start = view->shown_index(start);
      end = view->shown_index(end);
    }
    entries.push_back({start, static_cast<jint>(end - start), entry.slot,
                       Names{ModifiedUtf8(env_, entry.name), ModifiedUtf8(env_, entry.signature),
                             ModifiedUtf8(env_, entry.generic_signature)}});
  }
  return entries;
}

}  // namespace jvmdebug::agent::jvm
