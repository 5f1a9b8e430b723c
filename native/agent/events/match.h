// SPDX-License-Identifier: Apache-2.0
//
// An occurrence as the filters see it: facts that cost a call into the VM are looked up when the
// first filter needs them, and only once for all requests.
#pragma once

#include <optional>
#include <string>

#include "agent/events/event_set.h"
#include "agent/jvm/env.h"
#include "agent/threads/step_place.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::events {

class Match final : public threads::StepPlace {
 public:
  Match(const jvm::Env& env, const jvm::Jni& jni, const Occurrence& occurrence,
        const threads::Tracked& thread)
      : env_(env), jni_(jni), occurrence_(occurrence), thread_(thread) {}

  [[nodiscard]] const jvm::Env& env() const { return env_; }

  [[nodiscard]] const jvm::Jni& jni() const { return jni_; }

  [[nodiscard]] const Occurrence& occurrence() const { return occurrence_; }

  // The thread; null on one of the agent's own.
  [[nodiscard]] const threads::Tracked& thread() const { return thread_; }

  // The class that class filters look at; null when there is none.
  [[nodiscard]] jclass type();
  // The type's name as Class.getName() has it, in modified UTF-8; empty when there is none.
  [[nodiscard]] const std::string& type_name();
  // Whether the occurrence is about the object: for a field watch the field's object, else `this`
  // of the topmost frame. As with the JDK's own agent, an occurrence without an object (static
  // code) matches any instance.
  [[nodiscard]] bool instance_is(jobject object);

  // --- for the Stepper -----------------------------------------------------------------------
  [[nodiscard]] jvm::CodeLocation location() const override {
    return {.method = occurrence_.method, .index = occurrence_.index};
  }

  [[nodiscard]] bool lets_stop(const threads::Step& step) override;

 private:
  const jvm::Env& env_;
  const jvm::Jni& jni_;
  const Occurrence& occurrence_;
  const threads::Tracked& thread_;
  std::optional<jclass> type_;
  bool type_name_known_ = false;
  std::string type_name_;
};

// Converts `Ljava/lang/String;` to `java.lang.String`, and that of a hidden class,
// `Lshop/Cart.0x1f;`, to `shop.Cart/0x1f`.
[[nodiscard]] std::string name_of_signature(std::string_view signature);

// Matches a text against a pattern; `*` at its beginning or end stands for anything.
[[nodiscard]] bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace jvmdebug::agent::events
