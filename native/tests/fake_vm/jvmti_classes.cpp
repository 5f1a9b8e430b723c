// SPDX-License-Identifier: Apache-2.0
//
// JVM TI of the fake VM: classes. Their fields and methods are in jvmti_methods.cpp.
#include <algorithm>

#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {
namespace {

std::vector<Object*> mirrors(const std::vector<Class*>& classes) {
  std::vector<Object*> all;
  all.reserve(classes.size());
  for (const Class* const type : classes) {
    all.push_back(type->mirror);
  }
  return all;
}

bool is_prepared(const Class& type) {
  return (type.status & (JVMTI_CLASS_STATUS_PREPARED | JVMTI_CLASS_STATUS_ARRAY |
                         JVMTI_CLASS_STATUS_PRIMITIVE)) != 0;
}

jvmtiError JNICALL get_loaded_classes(jvmtiEnv* env, jint* count, jclass** classes) {
  const Entry entry(env, "GetLoadedClasses");
  std::vector<Class*> loaded = entry.vm.classes();
  std::erase_if(
      loaded, [](const Class* type) { return (type->status & JVMTI_CLASS_STATUS_PRIMITIVE) != 0; });
  entry.vm.list(mirrors(loaded), count, classes);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_loader_classes(jvmtiEnv* env, jobject reference, jint* count,
                                      jclass** classes) {
  const Entry entry(env, "GetClassLoaderClasses");
  const Object* const loader = entry.object(reference);
  std::vector<Class*> loaded = entry.vm.classes();
  std::erase_if(loaded, [&](const Class* type) {
    return type->loader != loader || (type->status & JVMTI_CLASS_STATUS_PRIMITIVE) != 0;
  });
  entry.vm.list(mirrors(loaded), count, classes);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_class_signature(jvmtiEnv* env, jclass reference, char** signature,
                                       char** generic) {
  const Entry entry(env, "GetClassSignature");
  const Class* const type = entry.class_or_null(reference);
  if (type == nullptr) {
    return JVMTI_ERROR_INVALID_CLASS;
  }
  if (signature != nullptr) {
    *signature = entry.vm.text(type->signature);
  }
  if (generic != nullptr) {
    *generic = nullptr;
  }
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_class_status(jvmtiEnv* env, jclass reference, jint* status) {
  const Entry entry(env, "GetClassStatus");
  const Class* const type = entry.class_or_null(reference);
  *status = type == nullptr ? 0 : type->status;
  return type == nullptr ? JVMTI_ERROR_INVALID_CLASS : JVMTI_ERROR_NONE;
}

jvmtiError text_of(const Entry& entry, jclass reference, std::string Class::* member, char** text) {
  const Class* const type = entry.class_or_null(reference);
  if (type == nullptr) {
    return JVMTI_ERROR_INVALID_CLASS;
  }
  if ((type->*member).empty()) {
    return JVMTI_ERROR_ABSENT_INFORMATION;
  }
  *text = entry.vm.text(type->*member);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_source_file(jvmtiEnv* env, jclass reference, char** name) {
  return text_of(Entry(env, "GetSourceFileName"), reference, &Class::source_file, name);
}

jvmtiError JNICALL get_debug_extension(jvmtiEnv* env, jclass reference, char** text) {
  return text_of(Entry(env, "GetSourceDebugExtension"), reference, &Class::debug_extension, text);
}

jvmtiError JNICALL get_class_modifiers(jvmtiEnv* env, jclass reference, jint* modifiers) {
  const Entry entry(env, "GetClassModifiers");
  const Class* const type = entry.class_or_null(reference);
  *modifiers = type == nullptr ? 0 : type->modifiers;
  return type == nullptr ? JVMTI_ERROR_INVALID_CLASS : JVMTI_ERROR_NONE;
}

jvmtiError prepared(const Entry& entry, jclass reference, const Class*& type) {
  type = entry.class_or_null(reference);
  if (type == nullptr) {
    return JVMTI_ERROR_INVALID_CLASS;
  }
  return is_prepared(*type) ? JVMTI_ERROR_NONE : JVMTI_ERROR_CLASS_NOT_PREPARED;
}

jvmtiError JNICALL get_class_methods(jvmtiEnv* env, jclass reference, jint* count,
                                     jmethodID** ids) {
  const Entry entry(env, "GetClassMethods");
  const Class* type = nullptr;
  if (const jvmtiError error = prepared(entry, reference, type); error != JVMTI_ERROR_NONE) {
    return error;
  }
  std::vector<jmethodID> all;
  all.reserve(type->methods.size());
  for (Method* const method : type->methods) {
    all.push_back(reinterpret_cast<jmethodID>(method));
  }
  entry.vm.give(all, count, ids);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_class_fields(jvmtiEnv* env, jclass reference, jint* count, jfieldID** ids) {
  const Entry entry(env, "GetClassFields");
  const Class* type = nullptr;
  if (const jvmtiError error = prepared(entry, reference, type); error != JVMTI_ERROR_NONE) {
    return error;
  }
  std::vector<jfieldID> all;
  all.reserve(type->fields.size());
  for (const Field* const field : type->fields) {
    all.push_back(field->id);
  }
  entry.vm.give(all, count, ids);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_interfaces(jvmtiEnv* env, jclass reference, jint* count,
                                  jclass** interfaces) {
  const Entry entry(env, "GetImplementedInterfaces");
  const Class* type = nullptr;
  if (const jvmtiError error = prepared(entry, reference, type); error != JVMTI_ERROR_NONE) {
    return error;
  }
  entry.vm.list(mirrors(type->interfaces), count, interfaces);
  return JVMTI_ERROR_NONE;
}

bool is_made_by_vm(const Class& type) {
  return (type.status & (JVMTI_CLASS_STATUS_ARRAY | JVMTI_CLASS_STATUS_PRIMITIVE)) != 0;
}

jvmtiError JNICALL get_class_version(jvmtiEnv* env, jclass reference, jint* minor, jint* major) {
  const Entry entry(env, "GetClassVersionNumbers");
  const Class* const type = entry.class_or_null(reference);
  if (type == nullptr) {
    return JVMTI_ERROR_INVALID_CLASS;
  }
  if (is_made_by_vm(*type)) {
    return JVMTI_ERROR_ABSENT_INFORMATION;
  }
  *minor = 0;
  *major = 55;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_constant_pool(jvmtiEnv* env, jclass reference, jint* entries, jint* count,
                                     unsigned char** bytes) {
  const Entry entry(env, "GetConstantPool");
  const Class* const type = entry.class_or_null(reference);
  if (type == nullptr) {
    return JVMTI_ERROR_INVALID_CLASS;
  }
  if (is_made_by_vm(*type)) {
    return JVMTI_ERROR_ABSENT_INFORMATION;
  }
  *entries = 2;
  entry.vm.give(std::vector<unsigned char>({3, 0, 0, 0, 7}), count, bytes);  // one integer
  return JVMTI_ERROR_NONE;
}

template <bool (Class::*Question)() const>
jvmtiError JNICALL ask_class(jvmtiEnv* env, jclass reference, jboolean* answer) {
  const Entry entry(env, "Is...");
  const Class* const type = entry.class_or_null(reference);
  if (type == nullptr) {
    return JVMTI_ERROR_INVALID_CLASS;
  }
  *answer = (type->*Question)() ? JNI_TRUE : JNI_FALSE;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_class_loader(jvmtiEnv* env, jclass reference, jobject* loader) {
  const Entry entry(env, "GetClassLoader");
  const Class* const type = entry.class_or_null(reference);
  if (type == nullptr) {
    return JVMTI_ERROR_INVALID_CLASS;
  }
  *loader = entry.vm.local(type->loader);
  return JVMTI_ERROR_NONE;
}

// Accepts bytes that begin like a class file; they change nothing but the breakpoints.
jvmtiError JNICALL redefine_classes(jvmtiEnv* env, jint count,
                                    const jvmtiClassDefinition* definitions) {
  const Entry entry(env, "RedefineClasses");
  for (jint index = 0; index < count; ++index) {
    const jvmtiClassDefinition& definition = definitions[index];
    const Class* const type = entry.class_or_null(definition.klass);
    if (type == nullptr) {
      return JVMTI_ERROR_INVALID_CLASS;
    }
    if (is_made_by_vm(*type)) {
      return JVMTI_ERROR_UNMODIFIABLE_CLASS;
    }
    if (definition.class_byte_count < 1 || definition.class_bytes[0] != 0xca) {
      return JVMTI_ERROR_INVALID_CLASS_FORMAT;
    }
    std::erase_if(entry.vm.breakpoints,
                  [&](const auto& place) { return place.first->declaring == type; });
  }
  return JVMTI_ERROR_NONE;
}

// No class has a file here, so the hook is not called and nothing changes.
jvmtiError JNICALL retransform_classes(jvmtiEnv* env, jint count, const jclass* classes) {
  const Entry entry(env, "RetransformClasses");
  for (jint index = 0; index < count; ++index) {
    if (entry.class_or_null(classes[index]) == nullptr) {
      return JVMTI_ERROR_INVALID_CLASS;
    }
  }
  return JVMTI_ERROR_UNMODIFIABLE_CLASS;
}

}  // namespace

void add_class_functions(jvmtiInterface_1_& table) {
  table.GetLoadedClasses = get_loaded_classes;
  table.GetClassLoaderClasses = get_loader_classes;
  table.GetClassSignature = get_class_signature;
  table.GetClassStatus = get_class_status;
  table.GetSourceFileName = get_source_file;
  table.GetSourceDebugExtension = get_debug_extension;
  table.GetClassModifiers = get_class_modifiers;
  table.GetClassMethods = get_class_methods;
  table.GetClassFields = get_class_fields;
  table.GetImplementedInterfaces = get_interfaces;
  table.GetClassVersionNumbers = get_class_version;
  table.GetConstantPool = get_constant_pool;
  table.IsInterface = ask_class<&Class::is_interface>;
  table.IsArrayClass = ask_class<&Class::is_array>;
  table.GetClassLoader = get_class_loader;
  table.RedefineClasses = redefine_classes;
  table.RetransformClasses = retransform_classes;
}

}  // namespace jvmdebug::fake
