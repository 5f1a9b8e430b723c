// SPDX-License-Identifier: Apache-2.0
#include "agent/code/trace_frames.h"

#include <utility>

#include "agent/code/named_method.h"

namespace jvmdebug::agent::code {
namespace {

constexpr const char* kString = "Ljava/lang/String;";
constexpr const char* kElement = "java/lang/StackTraceElement";
constexpr const char* kFill = "initStackTraceElements";

// Has the VM fill elements itself.
class Reader {
 public:
  Reader(const jvm::Env& env, const jvm::Jni& jni) : env_(env), jni_(jni) {}

  std::vector<TraceFrame> frames(jobject trace, std::size_t most) const {
    const auto throwable = jni_.find_class("java/lang/Throwable");
    const auto element = jni_.find_class(kElement);
    if (!throwable || !element) {
      return {};
    }
    auto elements = assigned(throwable, trace);
    if (!elements) {
      elements = filled(throwable, element, trace);
    }
    const jsize count = elements ? jni_->GetArrayLength(elements) : 0;
    std::vector<TraceFrame> found;
    for (jint at = 0; at < count && found.size() < most; ++at) {
      found.push_back(frame(jni_.adopt(jni_->GetObjectArrayElement(elements, at)), element));
    }
    return found;
  }

 private:
  // Returns the trace that was read before, or that the program has put in its place.
  jvm::LocalRef<jobjectArray> assigned(jclass throwable, jobject trace) const {
    auto* const field = jni_->GetFieldID(throwable, "stackTrace", "[Ljava/lang/StackTraceElement;");
    if (jni_.clear_exception() || field == nullptr) {
      return {};
    }
    auto found = jni_.adopt(static_cast<jobjectArray>(jni_->GetObjectField(trace, field)));
    return found && jni_->GetArrayLength(found) > 0 ? std::move(found)
                                                    : jvm::LocalRef<jobjectArray>();
  }

  jvm::LocalRef<jobjectArray> filled(jclass throwable, jclass element, jobject trace) const {
    auto* const depth = jni_->GetFieldID(throwable, "depth", "I");
    if (jni_.clear_exception() || depth == nullptr) {
      return {};
    }
    const jint count = jni_->GetIntField(trace, depth);
    auto elements = jni_.adopt(jni_->NewObjectArray(count, element, nullptr));
    if (jni_.clear_exception() || !elements) {
      return {};
    }
    for (jint at = 0; at < count; ++at) {
      const auto each = jni_.adopt(jni_->AllocObject(element));
      jni_->SetObjectArrayElement(elements, at, each);
    }
    const bool is_filled =
        !jni_.clear_exception() && fill(element, elements, trace, throwable, count);
    return is_filled ? std::move(elements) : jvm::LocalRef<jobjectArray>();
  }

  bool fill(jclass element, jobjectArray elements, jobject trace, jclass throwable,
            jint count) const {
    const auto method = [&](const char* descriptor) {
      return declared_method(env_, element,
                             {.kind = classfile::Constant::kMethod,
                              .owner = kElement,
                              .name = kFill,
                              .descriptor = descriptor});
    };
    if (auto* const of_17 = method("([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V")) {
      jni_->CallStaticVoidMethod(element, of_17, elements, trace);
      return !jni_.clear_exception();
    }
    auto* const of_21 = method("([Ljava/lang/StackTraceElement;Ljava/lang/Object;I)V");
    auto* const field = jni_->GetFieldID(throwable, "backtrace", "Ljava/lang/Object;");
    if (jni_.clear_exception() || of_21 == nullptr || field == nullptr) {
      return false;
    }
    const auto backtrace = jni_.adopt(jni_->GetObjectField(trace, field));
    if (backtrace) {
      jni_->CallStaticVoidMethod(element, of_21, elements, backtrace.get(), count);
    }
    return !jni_.clear_exception() && backtrace;
  }

  TraceFrame frame(const jvm::LocalRef<jobject>& from, jclass element) const {
    TraceFrame made;
    if (!from) {
      return made;
    }
    made.class_name = text(from, element, "declaringClass");
    made.method = text(from, element, "methodName");
    made.file = text(from, element, "fileName");
    auto* const line = jni_->GetFieldID(element, "lineNumber", "I");
    made.line = line == nullptr ? 0 : jni_->GetIntField(from, line);
    auto* const type = jni_->GetFieldID(element, "declaringClassObject", "Ljava/lang/Class;");
    (void)jni_.clear_exception();
    if (type != nullptr) {
      made.type = jni_.adopt(static_cast<jclass>(jni_->GetObjectField(from, type)));
    }
    return made;
  }

  std::string text(jobject of, jclass type, const char* name) const {
    auto* const field = jni_->GetFieldID(type, name, kString);
    (void)jni_.clear_exception();
    const auto value = jni_.adopt(field == nullptr ? nullptr : jni_->GetObjectField(of, field));
    return value ? jni_.text(static_cast<jstring>(value.get())) : std::string();
  }

  const jvm::Env& env_;
  const jvm::Jni& jni_;
};

}  // namespace

std::vector<TraceFrame> trace_frames(const jvm::Env& env, const jvm::Jni& jni, jobject throwable,
                                     std::size_t most) {
  return Reader(env, jni).frames(throwable, most);
}

}  // namespace jvmdebug::agent::code
