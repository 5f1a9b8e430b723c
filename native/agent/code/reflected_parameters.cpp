// SPDX-License-Identifier: Apache-2.0
#include "agent/code/reflected_parameters.h"

#include <utility>

namespace jvmdebug::agent::code {
namespace {

// The members of java.lang.reflect that are called.
class Reflection {
 public:
  static std::optional<Reflection> find(const jvm::Jni& jni) {
    Reflection found(jni);
    const auto executable = jni.find_class("java/lang/reflect/Executable");
    const auto parameter = jni.find_class("java/lang/reflect/Parameter");
    if (!executable || !parameter) {
      return std::nullopt;
    }
    // The native method behind getParameters(), which invents names where there is no attribute.
    found.parameters_ =
        jni->GetMethodID(executable, "getParameters0", "()[Ljava/lang/reflect/Parameter;");
    if (jni.clear_exception()) {
      return std::nullopt;
    }
    found.name_ = jni->GetFieldID(parameter, "name", "Ljava/lang/String;");
    if (jni.clear_exception()) {
      return std::nullopt;
    }
    found.modifiers_ = jni->GetFieldID(parameter, "modifiers", "I");
    return jni.clear_exception() ? std::nullopt : std::optional(found);
  }

  // Fills `found` with the parameters of a method, or leaves it empty if the method does not have
  // the attribute. Returns false if reflection throws an exception.
  [[nodiscard]] bool parameters_of(jclass type, jmethodID method, bool is_static,
                                   std::optional<std::vector<NamedParameter>>& found) const {
    const auto reflected =
        jni_.adopt(jni_->ToReflectedMethod(type, method, is_static ? JNI_TRUE : JNI_FALSE));
    if (jni_.clear_exception() || !reflected) {
      return false;
    }
    const auto all =
        jni_.adopt(static_cast<jobjectArray>(jni_->CallObjectMethod(reflected, parameters_)));
    if (jni_.clear_exception()) {
      return false;
    }
    if (!all) {
      return true;
    }
    auto& parameters = found.emplace();
    for (jsize number = 0; number < jni_->GetArrayLength(all); ++number) {
      const auto each = jni_.adopt(jni_->GetObjectArrayElement(all, number));
      const auto name = jni_.adopt(static_cast<jstring>(jni_->GetObjectField(each, name_)));
      parameters.push_back(
          {.name = text(name),
           .access = static_cast<std::uint16_t>(jni_->GetIntField(each, modifiers_))});
    }
    return true;
  }

 private:
  explicit Reflection(const jvm::Jni& jni) : jni_(jni) {}

  // Returns the text of a name. The VM has an empty one for a parameter without a name.
  [[nodiscard]] std::optional<std::string> text(jstring name) const {
    const char* const units = name == nullptr ? nullptr : jni_->GetStringUTFChars(name, nullptr);
    if (units == nullptr) {
      (void)jni_.clear_exception();
      return std::nullopt;
    }
    std::string copy(units);
    jni_->ReleaseStringUTFChars(name, units);
    return copy.empty() ? std::nullopt : std::optional(std::move(copy));
  }

  jvm::Jni jni_;
  jmethodID parameters_ = nullptr;
  jfieldID name_ = nullptr;
  jfieldID modifiers_ = nullptr;
};

}  // namespace

std::optional<NamedParameters> reflected_parameters(const jvm::Env& env, const jvm::Jni& jni,
                                                    jclass type) {
  constexpr jint kStatic = 0x0008;
  const auto reflection = Reflection::find(jni);
  const auto methods = env.get_class_methods(type);
  if (!reflection || !methods) {
    return std::nullopt;
  }
  NamedParameters all;
  for (jmethodID const method : *methods) {
    const auto name = env.get_method_name(method);
    const auto modifiers = env.get_method_modifiers(method);
    if (!name || !modifiers) {
      return std::nullopt;
    }
    // Without parameters there is nothing to keep; reflection has no class initializers.
    if (name->signature.view().starts_with("()") || name->name.view() == "<clinit>") {
      continue;
    }
    std::optional<std::vector<NamedParameter>> found;
    if (!reflection->parameters_of(type, method, (*modifiers & kStatic) != 0, found)) {
      return std::nullopt;
    }
    if (found) {
      all.emplace(std::string(name->name.view()) + std::string(name->signature.view()),
                  *std::move(found));
    }
  }
  return all;
}

}  // namespace jvmdebug::agent::code
