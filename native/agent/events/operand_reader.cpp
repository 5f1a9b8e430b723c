// SPDX-License-Identifier: Apache-2.0
#include "agent/events/operand_reader.h"

#include <bit>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "agent/events/operand_class.h"
#include "agent/java/generated/agent_classes.h"

namespace jvmdebug::agent::events {
namespace {

// A thread that reads is in native code of the agent, so its carrier does not change. This is not
// state of the agent.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): see above
thread_local bool reading = false;

// Up to JDK 18 the VM makes a thread when the first lambda of the JDK is linked, and numbers it
// under the lock of java.lang.Thread. A thread that the debugger has suspended there would keep the
// lock for ever; a running thread holds it for a moment.
bool is_lock_of_threads_held(const jvm::Env& env, const jvm::Jni& jni) {
  constexpr int kTries = 20;
  constexpr auto kMoment = std::chrono::milliseconds{5};
  const auto type = jni.find_class("java/lang/Thread");
  for (int tries = 0; type && tries < kTries; ++tries) {
    const jvm::LocalFrame frame(jni);  // for the references that the VM returns
    const auto usage = env.get_object_monitor_usage(type);
    if (!usage || usage->owner == nullptr) {
      return false;
    }
    std::this_thread::sleep_for(kMoment);
  }
  return true;
}

}  // namespace

std::optional<jvalue> value_of_slot(std::int64_t slot, char type) {
  jvalue value{};
  const auto low = static_cast<std::int32_t>(slot);
  switch (type) {
    case 'Z':
      value.z = static_cast<jboolean>(static_cast<std::uint32_t>(low) & 1U);
      return value;
    case 'B':
      value.b = static_cast<jbyte>(low);
      return value;
    case 'C':
      value.c = static_cast<jchar>(low);
      return value;
    case 'S':
      value.s = static_cast<jshort>(low);
      return value;
    case 'I':
      value.i = low;
      return value;
    case 'J':
      value.j = slot;
      return value;
    case 'F':
      value.f = std::bit_cast<float>(low);
      return value;
    case 'D':
      value.d = std::bit_cast<double>(slot);
      return value;
    default:
      return std::nullopt;
  }
}

bool OperandReader::is_reading() {
  return reading;
}

OperandReader::Unseen::Unseen() : was_(std::exchange(reading, true)) {}

OperandReader::Unseen::~Unseen() {
  reading = was_;
}

bool OperandReader::prepare(const jvm::Env& env, const Starter& start) {
  if (is_ready_) {
    return true;
  }
  if constexpr (sizeof(void*) != sizeof(std::int64_t)) {
    return false;  // a slot is a word
  }
  if (is_lock_of_threads_held(env, env.jni())) {
    return false;  // the thread could not be made either
  }
  (void)preparing_.await(start, [this, &env] {
    if (!is_ready_) {  // the preparation of another command may have just ended
      prepare_here(env.jni());
    }
  });
  return is_ready_;
}

void OperandReader::prepare_here(const jvm::Jni& jni) {
  const jvm::LocalFrame frame(jni);
  const Unseen unseen;
  const bool is_made = (type_ || define(jni)) && make_walker(jni);
  if (is_made) {
    (void)read(jni);  // finds no frame
  }
  (void)jni.clear_exception();
  is_ready_ = is_made;
}

bool OperandReader::define(const jvm::Jni& jni) {
  const auto bytes = java::operand_class();
  const auto defined = jni.adopt(jni->DefineClass(kOperandClass, nullptr,
                                                  reinterpret_cast<const jbyte*>(bytes.data()),
                                                  static_cast<jsize>(bytes.size())));
  if (jni.clear_exception() || !defined) {
    return false;
  }
  type_ = jni.global(defined.get());
  // Looking the method up prepares the class.
  read_ = jni->GetStaticMethodID(type_, kReadOperands, kReadOperandsDescriptor);
  return !jni.clear_exception();
}

bool OperandReader::make_walker(const jvm::Jni& jni) {
  const auto live = jni.find_class("java/lang/LiveStackFrame");
  const auto option = jni.find_class("java/lang/StackWalker$Option");
  const auto collections = jni.find_class("java/util/Collections");
  const auto slot = jni.find_class("java/lang/LiveStackFrame$PrimitiveSlot");
  if (!live || !option || !collections || !slot) {
    return false;
  }
  const jfieldID hidden =
      jni->GetStaticFieldID(option, "SHOW_HIDDEN_FRAMES", "Ljava/lang/StackWalker$Option;");
  const jmethodID singleton =
      jni->GetStaticMethodID(collections, "singleton", "(Ljava/lang/Object;)Ljava/util/Set;");
  const jmethodID constructor =
      jni.clear_exception() ? nullptr : jni->GetMethodID(type_, "<init>", "()V");
  const jmethodID get_walker =
      jni.clear_exception() ? nullptr
                            : jni->GetStaticMethodID(live, "getStackWalker",
                                                     "(Ljava/util/Set;)Ljava/lang/StackWalker;");
  if (jni.clear_exception() || constructor == nullptr || get_walker == nullptr) {
    return false;
  }
  const auto shown = jni.adopt(jni->GetStaticObjectField(option, hidden));
  const auto options = jni.adopt(jni->CallStaticObjectMethod(collections, singleton, shown.get()));
  if (jni.clear_exception()) {
    return false;
  }
  const auto walker = jni.adopt(jni->CallStaticObjectMethod(live, get_walker, options.get()));
  if (jni.clear_exception()) {
    return false;
  }
  const auto first = jni.adopt(jni->NewObject(type_, constructor));
  if (jni.clear_exception()) {
    return false;
  }
  slot_value_ = jni->GetMethodID(slot, "longValue", "()J");
  if (jni.clear_exception() || !walker || !first) {
    return false;
  }
  slot_ = jni.global(slot.get());
  walker_ = jni.global(walker.get());
  first_ = jni.global(first.get());
  return true;
}

jvm::LocalRef<jobjectArray> OperandReader::read(const jvm::Jni& jni) const {
  const Unseen unseen;
  auto operands = jni.adopt(static_cast<jobjectArray>(
      jni->CallStaticObjectMethod(type_, read_, walker_.get(), first_.get())));
  return jni.clear_exception() ? jvm::LocalRef<jobjectArray>() : std::move(operands);
}

// The VM keeps the value of a long or double in the last of its two slots.
std::optional<jvalue> OperandReader::topmost(const jvm::Jni& jni, char type) const {
  const auto operands = is_ready_ ? read(jni) : jvm::LocalRef<jobjectArray>();
  const jsize count = operands ? jni->GetArrayLength(operands) : 0;
  return count == 0 ? std::nullopt : at(jni, operands, count - 1, type);
}

std::optional<OperandReader::Store> OperandReader::store(const jvm::Jni& jni, char type) const {
  const auto operands = is_ready_ ? read(jni) : jvm::LocalRef<jobjectArray>();
  const jsize count = operands ? jni->GetArrayLength(operands) : 0;
  const jsize slots = type == 'J' || type == 'D' ? 2 : 1;
  if (count < slots + 2) {
    return std::nullopt;
  }
  const auto array = at(jni, operands, count - slots - 2, 'L');
  const auto index = at(jni, operands, count - slots - 1, 'I');
  const auto value = at(jni, operands, count - 1, type);
  if (!array || !index || !value) {
    return std::nullopt;
  }
  return Store{
      .array = jni.adopt(array->l), .index = index->i, .value = {.type = type, .value = *value}};
}

std::optional<OperandReader::FieldStore> OperandReader::field_store(const jvm::Jni& jni, char type,
                                                                    bool is_static) const {
  const auto operands = is_ready_ ? read(jni) : jvm::LocalRef<jobjectArray>();
  const jsize count = operands ? jni->GetArrayLength(operands) : 0;
  const jsize slots = type == 'J' || type == 'D' ? 2 : 1;
  if (count < slots + (is_static ? 0 : 1)) {
    return std::nullopt;
  }
  const auto object =
      is_static ? std::optional(jvalue{}) : at(jni, operands, count - slots - 1, 'L');
  const auto value = object ? at(jni, operands, count - 1, type) : std::nullopt;
  if (!value) {
    return std::nullopt;
  }
  return FieldStore{.object = jni.adopt(object->l), .value = {.type = type, .value = *value}};
}

std::optional<jvalue> OperandReader::at(const jvm::Jni& jni, jobjectArray operands, jsize index,
                                        char type) const {
  auto operand = jni.adopt(jni->GetObjectArrayElement(operands, index));
  const bool is_slot = operand && jni.instance_of(operand, slot_);
  if (type == 'L' || type == '[') {
    return is_slot ? std::nullopt : std::optional(jvalue{.l = operand.release()});
  }
  if (!is_slot) {
    return std::nullopt;
  }
  const Unseen unseen;
  const jlong slot = jni->CallLongMethod(operand, slot_value_);
  return jni.clear_exception() ? std::nullopt : value_of_slot(slot, type);
}

}  // namespace jvmdebug::agent::events
