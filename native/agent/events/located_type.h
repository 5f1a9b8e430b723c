// SPDX-License-Identifier: Apache-2.0
//
// The class of a request's location. Keeps the class, and with it the method, alive until let_go()
// is called; then the VM may unload the class, and calls about the method fail. For agent threads,
// one at a time.
#pragma once

#include <utility>

#include "agent/jvm/jni.h"

namespace jvmdebug::agent::events {

class LocatedType {
 public:
  LocatedType() = default;

  LocatedType(const jvm::Jni& jni, jclass type) : kept_(jni.global(type)), known_(jni.weak(type)) {}

  // Returns the class, or null when the VM has unloaded it.
  [[nodiscard]] jvm::LocalRef<jclass> lock(const jvm::Jni& jni) const {
    return kept_ ? jni.local(kept_.get()) : known_.lock(jni).as<jclass>();
  }

  void keep(const jvm::Jni& jni) {
    if (const auto type = lock(jni)) {
      kept_ = jni.global(type.get());
    }
  }

  void let_go() { kept_ = {}; }

 private:
  jvm::GlobalRef<jclass> kept_;
  jvm::WeakRef known_;
};

}  // namespace jvmdebug::agent::events
