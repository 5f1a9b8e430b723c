// SPDX-License-Identifier: Apache-2.0
//
// The JNI table of the fake VM: new objects and calls of methods. A called method does nothing: it
// answers with 0, null or an object of its type, and throws when its name says so.
#include <cstdarg>

#include "tests/fake_vm/jni_types.h"
#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {
namespace {

// --- calls -------------------------------------------------------------------------------------

std::vector<std::string> parameters(const std::string& descriptor) {
  std::vector<std::string> types;
  for (std::size_t at = 1; descriptor.at(at) != ')';) {
    std::size_t end = descriptor.find_first_not_of('[', at);
    end = descriptor.at(end) == 'L' ? descriptor.find(';', end) : end;
    types.push_back(descriptor.substr(at, end + 1 - at));
    at = end + 1;
  }
  return types;
}

// Checks the arguments, makes the result. The lock of `entry` is held: nothing runs meanwhile.
Object* call(const Entry& entry, const Method& method, const Object* self,
             const jvalue* arguments) {
  if (method.is_static() != (self == nullptr)) {
    refuse(entry.function, "a static method on an object, or the other way round");
  }
  if (self != nullptr && !Vm::is_subclass(self->type, method.declaring)) {
    refuse(entry.function, "a method that the object does not have");
  }
  std::size_t index = 0;
  for (const std::string& type : parameters(method.descriptor)) {
    if (is_reference(type)) {
      check_fits(entry, entry.object(arguments[index].l), entry.vm.class_named(type));
    }
    ++index;
  }
  if (method.name == "fail") {
    Vm::current()->exception = &entry.vm.add_object(*entry.vm.class_named("Lshop/Failure;"), false);
    return nullptr;
  }
  const std::string result = method.result();
  if (result == "Ljava/lang/String;") {
    return &entry.vm.make_string(u"made");
  }
  Class* const type = is_reference(result) ? entry.vm.class_named(result) : nullptr;
  return type == nullptr ? nullptr : &entry.vm.add_object(*type, false);
}

template <class T>
T result_of(const Entry& entry, const Method& method, Object* made) {
  if constexpr (std::is_same_v<T, void>) {
    (void)entry;
    (void)made;
    if (method.result() != "V") {
      refuse(entry.function, "a method with another result");
    }
  } else if constexpr (kLetter<T> == 'L') {
    return entry.vm.local(made);
  } else {
    if (method.result().front() != kLetter<T>) {
      refuse(entry.function, "a method with another result");
    }
    return T{};
  }
}

template <class T>
T JNICALL call_virtual(JNIEnv* env, jobject object, jmethodID id, const jvalue* arguments) {
  const Entry entry(env, "Call...Method");
  const Method& method = *entry.vm.method(id, entry.function);
  return result_of<T>(entry, method, call(entry, method, &entry.instance(object), arguments));
}

template <class T>
T JNICALL call_nonvirtual(JNIEnv* env, jobject object, jclass type, jmethodID id,
                          const jvalue* arguments) {
  const Entry entry(env, "CallNonvirtual...Method");
  (void)entry.type(type);
  const Method& method = *entry.vm.method(id, entry.function);
  return result_of<T>(entry, method, call(entry, method, &entry.instance(object), arguments));
}

template <class T>
T JNICALL call_static(JNIEnv* env, jclass type, jmethodID id, const jvalue* arguments) {
  const Entry entry(env, "CallStatic...Method");
  (void)entry.type(type);
  const Method& method = *entry.vm.method(id, entry.function);
  return result_of<T>(entry, method, call(entry, method, nullptr, arguments));
}

std::vector<jvalue> collect(const Method& method, va_list list) {
  std::vector<jvalue> values;
  for (const std::string& type : parameters(method.descriptor)) {
    jvalue value{};
    if (is_reference(type)) {
      value.l = va_arg(list, jobject);
    } else if (type == "J") {
      value.j = va_arg(list, jlong);
    } else if (type == "D" || type == "F") {
      value.d = va_arg(list, jdouble);
    } else {
      value.i = va_arg(list, jint);
    }
    values.push_back(value);
  }
  return values;
}

jobject JNICALL call_static_object_v(JNIEnv* env, jclass type, jmethodID id, va_list list) {
  const auto& method = *reinterpret_cast<const Method*>(id);
  return call_static<jobject>(env, type, id, collect(method, list).data());
}

jobject JNICALL new_object(JNIEnv* env, jclass type, jmethodID id, const jvalue* arguments) {
  const Entry entry(env, "NewObject");
  Class& wanted = entry.type(type);
  const Method& method = *entry.vm.method(id, entry.function);
  if (method.name != "<init>" || method.declaring != &wanted) {
    refuse(entry.function, "a method that is no constructor of the class");
  }
  Object& made = entry.vm.add_object(wanted, false);
  (void)call(entry, method, &made, arguments);
  if (wanted.signature == "Ljava/lang/Thread;") {
    const Object* const name = entry.object(arguments[0].l);
    const auto text = name == nullptr ? std::u16string() : name->text;
    entry.vm.add_thread(made, std::string(text.begin(), text.end()));
  }
  return entry.vm.local(&made);
}

jobject JNICALL new_object_v(JNIEnv* env, jclass type, jmethodID id, va_list list) {
  const auto& method = *reinterpret_cast<const Method*>(id);
  return new_object(env, type, id, collect(method, list).data());
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): types and names
#define FAKE_CALLS(NAME, TYPE)                                 \
  table.Call##NAME##MethodA = call_virtual<TYPE>;              \
  table.CallNonvirtual##NAME##MethodA = call_nonvirtual<TYPE>; \
  table.CallStatic##NAME##MethodA = call_static<TYPE>
// NOLINTEND(bugprone-macro-parentheses)

void add_jni_calls(JNINativeInterface_& table) {
  FAKE_CALLS(Boolean, jboolean);
  FAKE_CALLS(Byte, jbyte);
  FAKE_CALLS(Char, jchar);
  FAKE_CALLS(Short, jshort);
  FAKE_CALLS(Int, jint);
  FAKE_CALLS(Long, jlong);
  FAKE_CALLS(Float, jfloat);
  FAKE_CALLS(Double, jdouble);
  FAKE_CALLS(Object, jobject);
  FAKE_CALLS(Void, void);
  table.CallStaticObjectMethodV = call_static_object_v;
  table.NewObjectA = new_object;
  table.NewObjectV = new_object_v;
}

}  // namespace jvmdebug::fake
