// SPDX-License-Identifier: Apache-2.0
//
// Redirects native methods to other functions, for tests of a program, by JNI's RegisterNatives,
// which the VM allows at any time. The VM does not tell which function a method ran before; it is
// looked up by the names that JNI prescribes, in all loaded libraries.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/jni.h"

namespace jvmdebug::agent::jvmti_access {

struct NativeMethod {
  std::string type;  // signature of its class
  std::string name;
  std::string descriptor;
};

class NativeRedirects {
 public:
  // Redirects a method. Returns whether its previous function is known, or the reason why it was
  // not redirected. Agent threads, one at a time, as for the other functions.
  [[nodiscard]] std::expected<bool, std::string> redirect(const jvm::Jni& jni, jclass type,
                                                          const NativeMethod& method,
                                                          const std::string& library,
                                                          const std::string& symbol);
  [[nodiscard]] std::expected<bool, std::string> undo(const jvm::Jni& jni, jclass type,
                                                      const NativeMethod& method);
  // Undoes the redirects that can be undone.
  void undo_all(const jvm::Jni& jni);

 private:
  struct Redirect {
    jvm::GlobalRef<jclass> type;
    NativeMethod method;
    void* original = nullptr;
  };

  std::vector<Redirect> redirects_;
};

}  // namespace jvmdebug::agent::jvmti_access
