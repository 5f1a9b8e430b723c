// SPDX-License-Identifier: Apache-2.0
#include "agent/ids/known_classes.h"

#include <utility>

namespace jvmdebug::agent::ids {

protocol::Tag tag_of(Kind kind) {
  switch (kind) {
    case Kind::kArray:
      return protocol::Tag::kArray;
    case Kind::kString:
      return protocol::Tag::kString;
    case Kind::kThread:
      return protocol::Tag::kThread;
    case Kind::kThreadGroup:
      return protocol::Tag::kThreadGroup;
    case Kind::kClassLoader:
      return protocol::Tag::kClassLoader;
    case Kind::kClassObject:
      return protocol::Tag::kClassObject;
    case Kind::kObject:
    case Kind::kModule:  // JDWP has no tag for modules
      break;
  }
  return protocol::Tag::kObject;
}

Result<KnownClasses> KnownClasses::load(const jvm::Jni& jni) {
  KnownClasses known;
  const std::pair<const char*, jvm::GlobalRef<jclass>*> wanted[] = {
      {"java/lang/String", &known.string_},
      {"java/lang/Thread", &known.thread_},
      {"java/lang/ThreadGroup", &known.thread_group_},
      {"java/lang/ClassLoader", &known.class_loader_},
      {"java/lang/Class", &known.class_},
      {"java/lang/Module", &known.module_},
      {"java/lang/Throwable", &known.throwable_},
  };
  for (const auto& [name, member] : wanted) {
    const auto type = jni.find_class(name);
    if (!type) {
      return fail(protocol::Error::kInternal);
    }
    *member = jni.global(type.get());
  }
  return known;
}

Kind KnownClasses::kind_of(const jvm::Env& env, const jvm::Jni& jni, jobject object) const {
  const std::pair<jclass, Kind> kinds[] = {
      {string_, Kind::kString},
      {thread_, Kind::kThread},
      {thread_group_, Kind::kThreadGroup},
      {class_loader_, Kind::kClassLoader},
      {class_, Kind::kClassObject},
      {module_, Kind::kModule},
  };
  for (const auto& [type, kind] : kinds) {
    if (jni.instance_of(object, type)) {
      return kind;
    }
  }
  const auto type = jni.object_class(object);
  return env.is_array_class(type).value_or(false) ? Kind::kArray : Kind::kObject;
}

}  // namespace jvmdebug::agent::ids
