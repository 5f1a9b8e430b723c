// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti_access/native_redirects.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <string_view>
#include <utility>

#include "agent/platform/dynamic_library.h"

namespace jvmdebug::agent::jvmti_access {
namespace {

// Encodes a name as JNI prescribes it for function names; names beyond ASCII are not supported.
std::string mangled(std::string_view name) {
  std::string text;
  for (const char unit : name) {
    switch (unit) {
      case '/':
        text += '_';
        break;
      case '_':
        text += "_1";
        break;
      case ';':
        text += "_2";
        break;
      case '[':
        text += "_3";
        break;
      default:
        if (std::isalnum(static_cast<unsigned char>(unit)) != 0) {
          text += unit;
        } else {
          std::array<char, sizeof "_0ffff"> escaped{};
          (void)std::snprintf(escaped.data(), escaped.size(), "_0%04x",
                              static_cast<unsigned char>(unit));
          text += escaped.data();
        }
    }
  }
  return text;
}

void* prescribed_function(const NativeMethod& method) {
  const std::string type = method.type.substr(1, method.type.size() - 2);
  const std::string name = "Java_" + mangled(type) + "_" + mangled(method.name);
  void* const found = platform::loaded_function(name);
  if (found != nullptr) {
    return found;
  }
  const auto end = method.descriptor.find(')');
  const std::string arguments =
      end == std::string::npos || end == 0 ? "" : method.descriptor.substr(1, end - 1);
  return platform::loaded_function(name + "__" + mangled(arguments));
}

// A pending exception would come from the debugger.
bool bind(const jvm::Jni& jni, jclass type, const NativeMethod& method, void* function) {
  std::string name = method.name;
  std::string descriptor = method.descriptor;
  const JNINativeMethod one{.name = name.data(), .signature = descriptor.data(), .fnPtr = function};
  const bool bound = jni->RegisterNatives(type, &one, 1) == JNI_OK;
  return !jni.clear_exception() && bound;
}

std::string no_method(const NativeMethod& method) {
  return "the class has no native method " + method.name + method.descriptor;
}

}  // namespace

std::expected<bool, std::string> NativeRedirects::redirect(const jvm::Jni& jni, jclass type,
                                                           const NativeMethod& method,
                                                           const std::string& library,
                                                           const std::string& symbol) {
  const auto loaded = platform::load_library(library, platform::Binding::kAtOnce);
  if (!loaded) {
    return std::unexpected(loaded.error());
  }
  void* const function = platform::function_of(*loaded, symbol.c_str());
  if (function == nullptr) {
    return std::unexpected(library + " has no function " + symbol);
  }
  // The library stays loaded, because a thread may be inside it.
  const auto known = std::ranges::find_if(redirects_, [&](const Redirect& one) {
    return jni.same(one.type, type) && one.method.name == method.name &&
           one.method.descriptor == method.descriptor;
  });
  void* const original = known != redirects_.end() ? known->original : prescribed_function(method);
  if (!bind(jni, type, method, function)) {
    return std::unexpected(no_method(method));
  }
  if (known == redirects_.end()) {
    redirects_.push_back({.type = jni.global(type), .method = method, .original = original});
  }
  return original != nullptr;
}

std::expected<bool, std::string> NativeRedirects::undo(const jvm::Jni& jni, jclass type,
                                                       const NativeMethod& method) {
  const auto known = std::ranges::find_if(redirects_, [&](const Redirect& one) {
    return jni.same(one.type, type) && one.method.name == method.name &&
           one.method.descriptor == method.descriptor;
  });
  if (known == redirects_.end()) {
    return std::unexpected("the method runs its own function: it was not redirected");
  }
  if (known->original == nullptr) {
    return std::unexpected(
        "what the method ran before is not known: no loaded library has a function of the name "
        "that "
        "JNI prescribes for it");
  }
  if (!bind(jni, type, method, known->original)) {
    return std::unexpected(no_method(method));
  }
  redirects_.erase(known);
  return true;
}

void NativeRedirects::undo_all(const jvm::Jni& jni) {
  for (const Redirect& one : std::exchange(redirects_, {})) {
    if (one.original != nullptr) {
      (void)bind(jni, one.type, one.method, one.original);
    }
  }
}

}  // namespace jvmdebug::agent::jvmti_access
