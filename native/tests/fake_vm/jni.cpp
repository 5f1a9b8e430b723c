// SPDX-License-Identifier: Apache-2.0
//
// The JNI table of the fake VM: references, classes, strings, exceptions. Fields and arrays are
// in jni_values.cpp, calls in jni_calls.cpp.
#include <cstddef>
#include <cstring>

#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {
namespace {

[[noreturn]] void missing() {
  refuse("JNI",
         "a function that the fake VM does not have (add it to native/tests/fake_vm/jni.cpp)");
}

jint JNICALL get_version(JNIEnv* env) {
  const Entry entry(env, "GetVersion", true);
  return entry.vm.feature_version() << 16;
}

jint JNICALL get_java_vm(JNIEnv* env, JavaVM** vm) {
  const Entry entry(env, "GetJavaVM", true);
  *vm = entry.vm.java_vm();
  return JNI_OK;
}

// --- references --------------------------------------------------------------------------------

jobject JNICALL new_local_ref(JNIEnv* env, jobject reference) {
  const Entry entry(env, "NewLocalRef", true);
  return entry.vm.local(entry.object(reference));
}

jobject JNICALL new_global_ref(JNIEnv* env, jobject reference) {
  const Entry entry(env, "NewGlobalRef", true);
  return entry.vm.reference(entry.object(reference), HandleKind::kGlobal);
}

jweak JNICALL new_weak_ref(JNIEnv* env, jobject reference) {
  const Entry entry(env, "NewWeakGlobalRef", true);
  return entry.vm.reference(entry.object(reference), HandleKind::kWeak);
}

void JNICALL delete_local_ref(JNIEnv* env, jobject reference) {
  const Entry entry(env, "DeleteLocalRef", true);
  entry.vm.release(reference, HandleKind::kLocal, entry.function);
}

void JNICALL delete_global_ref(JNIEnv* env, jobject reference) {
  const Entry entry(env, "DeleteGlobalRef", true);
  entry.vm.release(reference, HandleKind::kGlobal, entry.function);
}

void JNICALL delete_weak_ref(JNIEnv* env, jweak reference) {
  const Entry entry(env, "DeleteWeakGlobalRef", true);
  entry.vm.release(reference, HandleKind::kWeak, entry.function);
}

jint JNICALL push_local_frame(JNIEnv* env, jint capacity) {
  const Entry entry(env, "PushLocalFrame", true);
  if (capacity < 0) {
    refuse(entry.function, "a negative capacity");
  }
  entry.vm.push_locals();
  return JNI_OK;
}

jint JNICALL ensure_local_capacity(JNIEnv* env, jint capacity) {
  const Entry entry(env, "EnsureLocalCapacity");
  if (capacity < 0) {
    refuse(entry.function, "a negative capacity");
  }
  return JNI_OK;
}

jobject JNICALL pop_local_frame(JNIEnv* env, jobject result) {
  const Entry entry(env, "PopLocalFrame", true);
  Object* const kept = entry.object(result);
  entry.vm.pop_locals();
  return entry.vm.local(kept);
}

jboolean JNICALL is_same_object(JNIEnv* env, jobject left, jobject right) {
  const Entry entry(env, "IsSameObject", true);
  return entry.object(left) == entry.object(right) ? JNI_TRUE : JNI_FALSE;
}

// --- classes -----------------------------------------------------------------------------------

jclass mirror(const Entry& entry, const Class* type) {
  return static_cast<jclass>(entry.vm.local(type == nullptr ? nullptr : type->mirror));
}

// Throws the error that a VM throws for an unknown name.
void throw_error(const Entry& entry) {
  Vm::current()->exception =
      &entry.vm.add_object(*entry.vm.class_named("Ljava/lang/NoSuchMethodError;"), false);
}

jclass JNICALL find_class(JNIEnv* env, const char* name) {
  const Entry entry(env, "FindClass");
  const Class* const found = entry.vm.class_named("L" + std::string(name) + ";");
  if (found == nullptr) {
    throw_error(entry);
  }
  return mirror(entry, found);
}

// The fake VM executes no bytecode, so it also refuses classes of the agent.
jclass JNICALL define_class(JNIEnv* env, const char* /*name*/, jobject /*loader*/,
                            const jbyte* /*bytes*/, jsize /*size*/) {
  throw_error(Entry(env, "DefineClass"));
  return nullptr;
}

jclass JNICALL get_superclass(JNIEnv* env, jclass type) {
  const Entry entry(env, "GetSuperclass");
  const Class& below = entry.type(type);
  return mirror(entry, below.is_interface() ? nullptr : below.superclass);
}

jclass JNICALL get_object_class(JNIEnv* env, jobject object) {
  const Entry entry(env, "GetObjectClass");
  return mirror(entry, entry.instance(object).type);
}

jboolean JNICALL is_instance_of(JNIEnv* env, jobject object, jclass type) {
  const Entry entry(env, "IsInstanceOf");
  const Class& wanted = entry.type(type);
  const Object* const found = entry.object(object);
  return found == nullptr || Vm::is_subclass(found->type, &wanted) ? JNI_TRUE : JNI_FALSE;
}

jboolean JNICALL is_assignable_from(JNIEnv* env, jclass from, jclass to) {
  const Entry entry(env, "IsAssignableFrom");
  return Vm::is_subclass(&entry.type(from), &entry.type(to)) ? JNI_TRUE : JNI_FALSE;
}

jobject JNICALL get_module(JNIEnv* env, jclass type) {
  const Entry entry(env, "GetModule");
  (void)entry.type(type);
  for (const auto& object : entry.vm.objects()) {
    if (object->type->signature == "Ljava/lang/Module;") {
      return entry.vm.local(object.get());
    }
  }
  return nullptr;
}

jmethodID find_method(const Entry& entry, const Class* type, const char* name,
                      const char* descriptor, bool is_static) {
  for (; type != nullptr; type = type->superclass) {
    for (Method* const method : type->methods) {
      if (method->name == name && method->descriptor == descriptor &&
          method->is_static() == is_static) {
        return reinterpret_cast<jmethodID>(method);
      }
    }
  }
  throw_error(entry);
  return nullptr;
}

jmethodID JNICALL get_method_id(JNIEnv* env, jclass type, const char* name,
                                const char* descriptor) {
  const Entry entry(env, "GetMethodID");
  return find_method(entry, &entry.type(type), name, descriptor, false);
}

jmethodID JNICALL get_static_method_id(JNIEnv* env, jclass type, const char* name,
                                       const char* descriptor) {
  const Entry entry(env, "GetStaticMethodID");
  return find_method(entry, &entry.type(type), name, descriptor, true);
}

jfieldID JNICALL get_field_id(JNIEnv* env, jclass type, const char* name, const char* signature) {
  const Entry entry(env, "GetFieldID");
  for (const Class* each = &entry.type(type); each != nullptr; each = each->superclass) {
    for (const Field* const field : each->fields) {
      if (field->name == name && field->signature == signature && !field->is_static()) {
        return field->id;
      }
    }
  }
  throw_error(entry);
  return nullptr;
}

// --- strings -----------------------------------------------------------------------------------

Object& string(const Entry& entry, jstring reference) {
  Object& found = entry.instance(reference);
  if (!entry.vm.is_a(&found, "Ljava/lang/String;")) {
    refuse(entry.function, "an object that is no string");
  }
  return found;
}

jstring JNICALL new_string(JNIEnv* env, const jchar* units, jsize length) {
  const Entry entry(env, "NewString");
  std::u16string text(static_cast<std::size_t>(length), u'\0');
  std::memcpy(text.data(), units, text.size() * sizeof(jchar));
  return static_cast<jstring>(entry.vm.local(&entry.vm.make_string(std::move(text))));
}

jsize JNICALL get_string_length(JNIEnv* env, jstring reference) {
  const Entry entry(env, "GetStringLength");
  return static_cast<jsize>(string(entry, reference).text.size());
}

void JNICALL get_string_region(JNIEnv* env, jstring reference, jsize start, jsize length,
                               jchar* units) {
  const Entry entry(env, "GetStringRegion");
  const auto& text = string(entry, reference).text;
  if (start < 0 || length < 0 ||
      static_cast<std::size_t>(start) + static_cast<std::size_t>(length) > text.size()) {
    refuse(entry.function, "a region outside of the string");
  }
  std::memcpy(units, text.data() + start, static_cast<std::size_t>(length) * sizeof(jchar));
}

// --- exceptions --------------------------------------------------------------------------------

jthrowable JNICALL exception_occurred(JNIEnv* env) {
  const Entry entry(env, "ExceptionOccurred", true);
  return static_cast<jthrowable>(entry.vm.local(Vm::current()->exception));
}

jboolean JNICALL exception_check(JNIEnv* env) {
  const Entry entry(env, "ExceptionCheck", true);
  return Vm::current()->exception != nullptr ? JNI_TRUE : JNI_FALSE;
}

void JNICALL exception_clear(JNIEnv* env) {
  const Entry entry(env, "ExceptionClear", true);
  Vm::current()->exception = nullptr;
}

jint JNICALL throw_exception(JNIEnv* env, jthrowable reference) {
  const Entry entry(env, "Throw");
  Object& exception = entry.instance(reference);
  if (!entry.vm.is_a(&exception, "Ljava/lang/Throwable;")) {
    refuse(entry.function, "an object that cannot be thrown");
  }
  Vm::current()->exception = &exception;
  return JNI_OK;
}

jboolean JNICALL is_virtual_thread(JNIEnv* env, jobject reference) {
  const Entry entry(env, "IsVirtualThread");
  const Object* const object = entry.object(reference);
  const bool is = object != nullptr && object->thread != nullptr && object->thread->virtual_thread;
  return is ? JNI_TRUE : JNI_FALSE;
}

JNINativeInterface_ make_table() {
  JNINativeInterface_ table{};
  table.GetVersion = get_version;
  table.GetJavaVM = get_java_vm;
  table.NewLocalRef = new_local_ref;
  table.NewGlobalRef = new_global_ref;
  table.NewWeakGlobalRef = new_weak_ref;
  table.DeleteLocalRef = delete_local_ref;
  table.DeleteGlobalRef = delete_global_ref;
  table.DeleteWeakGlobalRef = delete_weak_ref;
  table.PushLocalFrame = push_local_frame;
  table.EnsureLocalCapacity = ensure_local_capacity;
  table.PopLocalFrame = pop_local_frame;
  table.IsSameObject = is_same_object;
  table.FindClass = find_class;
  table.DefineClass = define_class;
  table.GetSuperclass = get_superclass;
  table.GetObjectClass = get_object_class;
  table.IsInstanceOf = is_instance_of;
  table.IsAssignableFrom = is_assignable_from;
  table.GetModule = get_module;
  table.GetMethodID = get_method_id;
  table.GetStaticMethodID = get_static_method_id;
  table.GetFieldID = get_field_id;
  table.NewString = new_string;
  table.GetStringLength = get_string_length;
  table.GetStringRegion = get_string_region;
  table.ExceptionOccurred = exception_occurred;
  table.ExceptionCheck = exception_check;
  table.ExceptionClear = exception_clear;
  table.Throw = throw_exception;
  add_jni_values(table);
  add_jni_calls(table);
  return table;
}

}  // namespace

const JNINativeInterface_* jni_table() {
  static const JniSlots slots = [] {
    constexpr std::size_t kIsVirtualThread = 234;
    const JNINativeInterface_ table = make_table();
    JniSlots made{};
    std::memcpy(made.data(), &table, sizeof table);
    made.at(kIsVirtualThread) = reinterpret_cast<TableSlot>(is_virtual_thread);
    for (TableSlot& slot : made) {
      slot = slot == nullptr ? reinterpret_cast<TableSlot>(missing) : slot;
    }
    return made;
  }();
  return reinterpret_cast<const JNINativeInterface_*>(slots.data());
}

}  // namespace jvmdebug::fake
