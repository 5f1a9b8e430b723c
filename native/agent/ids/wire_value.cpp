// SPDX-License-Identifier: Apache-2.0
#include "agent/ids/wire_value.h"

namespace jvmdebug::agent::ids {

protocol::Value wire_value(ObjectTable& objects, const jvm::JavaValue& value, jobject reference) {
  switch (value.type) {
    case 'Z':
      return protocol::Value::of_boolean(value.value.z != JNI_FALSE);
    case 'B':
      return protocol::Value::of_byte(value.value.b);
    case 'C':
      return protocol::Value::of_char(value.value.c);
    case 'S':
      return protocol::Value::of_short(value.value.s);
    case 'I':
      return protocol::Value::of_int(value.value.i);
    case 'J':
      return protocol::Value::of_long(value.value.j);
    case 'F':
      return protocol::Value::of_float(value.value.f);
    case 'D':
      return protocol::Value::of_double(value.value.d);
    case 'V':
      return protocol::Value::of_void();
    default:
      return protocol::Value::of_object(objects.tagged_id(reference));
  }
}

}  // namespace jvmdebug::agent::ids
