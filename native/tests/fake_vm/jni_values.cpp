// SPDX-License-Identifier: Apache-2.0
//
// The JNI table of the fake VM: fields and arrays.
#include "tests/fake_vm/jni_types.h"
#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {
namespace {

template <class T>
T& member(jvalue& value);

// NOLINTBEGIN(bugprone-macro-parentheses): types and names
#define FAKE_MEMBER(TYPE, MEMBER)      \
  template <>                          \
  TYPE& member<TYPE>(jvalue & value) { \
    return value.MEMBER;               \
  }
FAKE_MEMBER(jboolean, z)
FAKE_MEMBER(jbyte, b)
FAKE_MEMBER(jchar, c)
FAKE_MEMBER(jshort, s)
FAKE_MEMBER(jint, i)
FAKE_MEMBER(jlong, j)
FAKE_MEMBER(jfloat, f)
FAKE_MEMBER(jdouble, d)
#undef FAKE_MEMBER
// NOLINTEND(bugprone-macro-parentheses)

// --- fields ------------------------------------------------------------------------------------

template <class T>
Cell& cell_of(const Entry& entry, Cell& cell, const Field& field) {
  const bool reference = is_reference(field.signature);
  if (reference ? kLetter<T> != 'L' : kLetter<T> != field.signature.front()) {
    refuse(entry.function, "a field of another type");
  }
  return cell;
}

template <class T>
Cell& instance_cell(const Entry& entry, jobject object, jfieldID id) {
  Object& instance = entry.instance(object);
  const Field* const field = Vm::find_field(instance.type, id, false);
  if (field == nullptr) {
    refuse(entry.function, "a field id that the object's class does not have");
  }
  return cell_of<T>(entry, instance.fields[field], *field);
}

template <class T>
Cell& static_cell(const Entry& entry, jclass type, jfieldID id) {
  const Field* const field = Vm::find_field(&entry.type(type), id, true);
  if (field == nullptr) {
    refuse(entry.function, "a static field id that the class does not have");
  }
  return cell_of<T>(entry, field->declaring->statics[field], *field);
}

template <class T>
T read(const Entry& entry, Cell& cell) {
  if constexpr (kLetter<T> == 'L') {
    return entry.vm.local(cell.object);
  } else {
    return member<T>(cell.bits);
  }
}

template <class T>
T JNICALL get_field(JNIEnv* env, jobject object, jfieldID id) {
  const Entry entry(env, "Get...Field");
  return read<T>(entry, instance_cell<T>(entry, object, id));
}

template <class T>
T JNICALL get_static_field(JNIEnv* env, jclass type, jfieldID id) {
  const Entry entry(env, "GetStatic...Field");
  return read<T>(entry, static_cell<T>(entry, type, id));
}

template <class T>
void write(const Entry& entry, Cell& cell, T value, const std::string& signature) {
  if constexpr (kLetter<T> == 'L') {
    Object* const object = entry.object(value);
    check_fits(entry, object, entry.vm.class_named(signature));
    cell.object = object;
  } else {
    (void)signature;
    member<T>(cell.bits) = value;
  }
}

template <class T>
void JNICALL set_field(JNIEnv* env, jobject object, jfieldID id, T value) {
  const Entry entry(env, "Set...Field");
  Cell& cell = instance_cell<T>(entry, object, id);
  write<T>(entry, cell, value, Vm::find_field(entry.instance(object).type, id, false)->signature);
}

template <class T>
void JNICALL set_static_field(JNIEnv* env, jclass type, jfieldID id, T value) {
  const Entry entry(env, "SetStatic...Field");
  Cell& cell = static_cell<T>(entry, type, id);
  write<T>(entry, cell, value, Vm::find_field(&entry.type(type), id, true)->signature);
}

// --- arrays ------------------------------------------------------------------------------------

Object& array(const Entry& entry, jobject reference) {
  Object& found = entry.instance(reference);
  if (!found.type->is_array()) {
    refuse(entry.function, "an object that is no array");
  }
  return found;
}

void check_region(const Entry& entry, const Object& found, jsize start, jsize length) {
  if (start < 0 || length < 0 ||
      static_cast<std::size_t>(start) + static_cast<std::size_t>(length) > found.elements.size()) {
    refuse(entry.function, "elements outside of the array");
  }
}

jsize JNICALL get_array_length(JNIEnv* env, jarray reference) {
  const Entry entry(env, "GetArrayLength");
  return static_cast<jsize>(array(entry, reference).elements.size());
}

template <class T>
Object& array_of(const Entry& entry, jobject reference, jsize start, jsize length) {
  Object& found = array(entry, reference);
  if (found.type->signature.at(1) != kLetter<T>) {
    refuse(entry.function, "an array of another type");
  }
  check_region(entry, found, start, length);
  return found;
}

template <class T, class Array>
void JNICALL get_region(JNIEnv* env, Array reference, jsize start, jsize length, T* into) {
  const Entry entry(env, "Get...ArrayRegion");
  Object& found = array_of<T>(entry, reference, start, length);
  const auto first = static_cast<std::size_t>(start);
  const auto count = static_cast<std::size_t>(length);
  for (std::size_t index = 0; index < count; ++index) {
    into[index] = member<T>(found.elements[first + index].bits);
  }
}

template <class T, class Array>
void JNICALL set_region(JNIEnv* env, Array reference, jsize start, jsize length, const T* from) {
  const Entry entry(env, "Set...ArrayRegion");
  Object& found = array_of<T>(entry, reference, start, length);
  const auto first = static_cast<std::size_t>(start);
  const auto count = static_cast<std::size_t>(length);
  for (std::size_t index = 0; index < count; ++index) {
    member<T>(found.elements[first + index].bits) = from[index];
  }
}

// Makes an array; for a big one, memory is out, as it may be in a VM.
jobject make_array(const Entry& entry, Class* type, jsize length) {
  constexpr jsize kMost = 1000;
  if (type == nullptr || length < 0) {
    refuse(entry.function, "an array that cannot be");
  }
  if (length > kMost) {
    Vm::current()->exception =
        &entry.vm.add_object(*entry.vm.class_named("Ljava/lang/OutOfMemoryError;"), false);
    return nullptr;
  }
  Object& made = entry.vm.add_object(*type, false);
  made.elements.resize(static_cast<std::size_t>(length));
  return entry.vm.local(&made);
}

template <class T, class Array>
Array JNICALL new_array(JNIEnv* env, jsize length) {
  const Entry entry(env, "New...Array");
  return static_cast<Array>(
      make_array(entry, entry.vm.class_named(std::string("[") + kLetter<T>), length));
}

jobjectArray JNICALL new_object_array(JNIEnv* env, jsize length, jclass component,
                                      jobject initial) {
  const Entry entry(env, "NewObjectArray");
  (void)entry.object(initial);
  Class* const type = entry.vm.class_named("[" + entry.type(component).signature);
  return static_cast<jobjectArray>(make_array(entry, type, length));
}

jobject JNICALL get_element(JNIEnv* env, jobjectArray reference, jsize index) {
  const Entry entry(env, "GetObjectArrayElement");
  Object& found = array(entry, reference);
  check_region(entry, found, index, 1);
  return entry.vm.local(found.elements[static_cast<std::size_t>(index)].object);
}

void JNICALL set_element(JNIEnv* env, jobjectArray reference, jsize index, jobject value) {
  const Entry entry(env, "SetObjectArrayElement");
  Object& found = array(entry, reference);
  check_region(entry, found, index, 1);
  Object* const object = entry.object(value);
  check_fits(entry, object, found.type->component);
  found.elements[static_cast<std::size_t>(index)].object = object;
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): types and names
#define FAKE_FIELDS(NAME, TYPE)                          \
  table.Get##NAME##Field = get_field<TYPE>;              \
  table.Set##NAME##Field = set_field<TYPE>;              \
  table.GetStatic##NAME##Field = get_static_field<TYPE>; \
  table.SetStatic##NAME##Field = set_static_field<TYPE>
#define FAKE_PRIMITIVE(NAME, TYPE)                              \
  table.Get##NAME##ArrayRegion = get_region<TYPE, TYPE##Array>; \
  table.Set##NAME##ArrayRegion = set_region<TYPE, TYPE##Array>; \
  table.New##NAME##Array = new_array<TYPE, TYPE##Array>;        \
  FAKE_FIELDS(NAME, TYPE)
// NOLINTEND(bugprone-macro-parentheses)

void add_jni_values(JNINativeInterface_& table) {
  FAKE_PRIMITIVE(Boolean, jboolean);
  FAKE_PRIMITIVE(Byte, jbyte);
  FAKE_PRIMITIVE(Char, jchar);
  FAKE_PRIMITIVE(Short, jshort);
  FAKE_PRIMITIVE(Int, jint);
  FAKE_PRIMITIVE(Long, jlong);
  FAKE_PRIMITIVE(Float, jfloat);
  FAKE_PRIMITIVE(Double, jdouble);
  FAKE_FIELDS(Object, jobject);
  table.GetArrayLength = get_array_length;
  table.NewObjectArray = new_object_array;
  table.GetObjectArrayElement = get_element;
  table.SetObjectArrayElement = set_element;
}

}  // namespace jvmdebug::fake
