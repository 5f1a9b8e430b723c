// SPDX-License-Identifier: Apache-2.0
//
// JVM TI of the fake VM: fields and methods.
#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {
namespace {

// --- fields ------------------------------------------------------------------------------------

// Finds a field. HotSpot dereferences any id, so an id that the class does not have ends the
// program.
const Field& field(const Entry& entry, jclass reference, jfieldID id) {
  const Class& type = entry.type(reference);
  const Field* found = Vm::find_field(&type, id, false);
  found = found == nullptr ? Vm::find_field(&type, id, true) : found;
  if (found == nullptr) {
    refuse(entry.function, "a field id that the class does not have");
  }
  return *found;
}

jvmtiError JNICALL get_field_name(jvmtiEnv* env, jclass type, jfieldID id, char** name,
                                  char** signature, char** generic) {
  const Entry entry(env, "GetFieldName");
  const Field& found = field(entry, type, id);
  *name = entry.vm.text(found.name);
  *signature = entry.vm.text(found.signature);
  *generic = nullptr;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_field_declaring(jvmtiEnv* env, jclass type, jfieldID id, jclass* declaring) {
  const Entry entry(env, "GetFieldDeclaringClass");
  *declaring = static_cast<jclass>(entry.vm.local(field(entry, type, id).declaring->mirror));
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_field_modifiers(jvmtiEnv* env, jclass type, jfieldID id, jint* modifiers) {
  const Entry entry(env, "GetFieldModifiers");
  *modifiers = field(entry, type, id).modifiers;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL is_field_synthetic(jvmtiEnv* env, jclass type, jfieldID id, jboolean* is) {
  const Entry entry(env, "IsFieldSynthetic");
  (void)field(entry, type, id);
  *is = JNI_FALSE;
  return JVMTI_ERROR_NONE;
}

// --- methods -----------------------------------------------------------------------------------

jvmtiError JNICALL get_method_name(jvmtiEnv* env, jmethodID id, char** name, char** signature,
                                   char** generic) {
  const Entry entry(env, "GetMethodName");
  const Method* const method = entry.vm.method(id, entry.function);
  if (name != nullptr) {
    *name = entry.vm.text(method->name);
  }
  if (signature != nullptr) {
    *signature = entry.vm.text(method->descriptor);
  }
  if (generic != nullptr) {
    *generic = nullptr;
  }
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_method_declaring(jvmtiEnv* env, jmethodID id, jclass* declaring) {
  const Entry entry(env, "GetMethodDeclaringClass");
  const Method* const method = entry.vm.method(id, entry.function);
  *declaring = static_cast<jclass>(entry.vm.local(method->declaring->mirror));
  return JVMTI_ERROR_NONE;
}

template <class T, class Ask>
jvmtiError answer(const Entry& entry, jmethodID id, T* into, Ask ask) {
  *into = ask(*entry.vm.method(id, entry.function));
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_method_modifiers(jvmtiEnv* env, jmethodID id, jint* modifiers) {
  return answer(Entry(env, "GetMethodModifiers"), id, modifiers,
                [](const Method& method) { return method.modifiers; });
}

jvmtiError JNICALL is_native(jvmtiEnv* env, jmethodID id, jboolean* is) {
  return answer(Entry(env, "IsMethodNative"), id, is, [](const Method& method) -> jboolean {
    return method.is_native() ? JNI_TRUE : JNI_FALSE;
  });
}

jvmtiError JNICALL is_synthetic(jvmtiEnv* env, jmethodID id, jboolean* is) {
  return answer(Entry(env, "IsMethodSynthetic"), id, is,
                [](const Method& /*method*/) -> jboolean { return JNI_FALSE; });
}

jvmtiError JNICALL is_obsolete(jvmtiEnv* env, jmethodID id, jboolean* is) {
  return answer(Entry(env, "IsMethodObsolete"), id, is, [](const Method& method) -> jboolean {
    return method.obsolete ? JNI_TRUE : JNI_FALSE;
  });
}

// Gives a property that only methods with code have.
template <class Use>
jvmtiError with_code(const Entry& entry, jmethodID id, Use use) {
  const Method* const method = entry.vm.method(id, entry.function);
  return method->is_native() ? JVMTI_ERROR_NATIVE_METHOD : use(*method);
}

jvmtiError JNICALL get_locals_size(jvmtiEnv* env, jmethodID id, jint* size) {
  return with_code(Entry(env, "GetMaxLocals"), id, [&](const Method& method) {
    *size = method.max_locals;
    return JVMTI_ERROR_NONE;
  });
}

jvmtiError JNICALL get_location(jvmtiEnv* env, jmethodID id, jlocation* first, jlocation* last) {
  return with_code(Entry(env, "GetMethodLocation"), id, [&](const Method& method) {
    *first = method.last < 0 ? -1 : 0;
    *last = method.last;
    return JVMTI_ERROR_NONE;
  });
}

jvmtiError JNICALL get_line_table(jvmtiEnv* env, jmethodID id, jint* count,
                                  jvmtiLineNumberEntry** lines) {
  const Entry entry(env, "GetLineNumberTable");
  return with_code(entry, id, [&](const Method& method) {
    if (method.lines.empty()) {
      return JVMTI_ERROR_ABSENT_INFORMATION;
    }
    entry.vm.give(method.lines, count, lines);
    return JVMTI_ERROR_NONE;
  });
}

jvmtiError JNICALL get_local_table(jvmtiEnv* env, jmethodID id, jint* count,
                                   jvmtiLocalVariableEntry** entries) {
  const Entry entry(env, "GetLocalVariableTable");
  return with_code(entry, id, [&](const Method& method) {
    if (!method.locals) {
      return JVMTI_ERROR_ABSENT_INFORMATION;
    }
    std::vector<jvmtiLocalVariableEntry> table;
    for (const Local& local : *method.locals) {
      table.push_back({.start_location = 0,
                       .length = static_cast<jint>(method.last) + 1,
                       .name = entry.vm.text(local.name),
                       .signature = entry.vm.text(local.signature),
                       .generic_signature = nullptr,
                       .slot = local.slot});
    }
    entry.vm.give(table, count, entries);
    return JVMTI_ERROR_NONE;
  });
}

jvmtiError JNICALL get_bytecodes(jvmtiEnv* env, jmethodID id, jint* count, unsigned char** bytes) {
  const Entry entry(env, "GetBytecodes");
  return with_code(entry, id, [&](const Method& method) {
    // The code is nop, with a return at the end.
    std::vector<unsigned char> code(static_cast<std::size_t>(method.last) + 1, 0);
    if (!code.empty()) {
      code.back() = 0xb1;
    }
    entry.vm.give(code, count, bytes);
    return JVMTI_ERROR_NONE;
  });
}

jvmtiError JNICALL get_arguments_size(jvmtiEnv* env, jmethodID id, jint* size) {
  return with_code(Entry(env, "GetArgumentsSize"), id, [&](const Method& method) {
    // Wide ones are not counted twice, because nothing depends on it here.
    *size = static_cast<jint>(method.descriptor.find(')')) - (method.is_static() ? 1 : 0);
    return JVMTI_ERROR_NONE;
  });
}

}  // namespace

void add_member_functions(jvmtiInterface_1_& table) {
  table.GetFieldName = get_field_name;
  table.GetFieldDeclaringClass = get_field_declaring;
  table.GetFieldModifiers = get_field_modifiers;
  table.IsFieldSynthetic = is_field_synthetic;
  table.GetMethodName = get_method_name;
  table.GetMethodDeclaringClass = get_method_declaring;
  table.GetMethodModifiers = get_method_modifiers;
  table.IsMethodNative = is_native;
  table.IsMethodSynthetic = is_synthetic;
  table.IsMethodObsolete = is_obsolete;
  table.GetMaxLocals = get_locals_size;
  table.GetMethodLocation = get_location;
  table.GetLineNumberTable = get_line_table;
  table.GetLocalVariableTable = get_local_table;
  table.GetBytecodes = get_bytecodes;
  table.GetArgumentsSize = get_arguments_size;
}

}  // namespace jvmdebug::fake
