// SPDX-License-Identifier: Apache-2.0
//
// Native methods that run another function than the one of their library, for tests of a program:
// JNI's RegisterNatives, which the VM allows at any time. What a method ran before cannot be asked
// of the VM: it is looked for by the names that JNI prescribes in all libraries that are loaded.
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
  // Agent threads, one at a time, as the others. Whether what it ran before is known, or why it was
  // not done.
  [[nodiscard]] std::expected<bool, std::string> redirect(const jvm::Jni& jni, jclass type,
                                                          const NativeMethod& method,
                                                          const std::string& library,
                                                          const std::string& symbol);
  [[nodiscard]] std::expected<bool, std::string> undo(const jvm::Jni& jni, jclass type,
                                                      const NativeMethod& method);
  // Undoes those that can be undone.
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
