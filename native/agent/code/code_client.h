// SPDX-License-Identifier: Apache-2.0
//
// A part of the agent that wants calls in the code of classes. CodeChanges asks its clients which
// calls the next code of a class has, and tells them what became of that. A client keeps what it
// knows of a class by the address of its ChangedClass, until forget().
//
// The functions marked "any thread" are called by the hook for class files while CodeChanges holds
// its lock; a client may take locks of higher ranks there. All others are called on agent threads,
// one at a time, without any lock.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jvmti.h>

#include "agent/code/changed_class.h"
#include "agent/code/code_users.h"
#include "classfile/class_file.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::code {

// How calls that are no longer wanted are taken out of classes.
enum class Sweep : std::uint8_t {
  kGently,  // classes that threads run are left for a later sweep
  kWholly,
};

class CodeClient {
 public:
  // The methods' own code, by name and descriptor.
  using Codes = std::map<std::string, std::vector<std::uint8_t>>;

  CodeClient() = default;
  CodeClient(const CodeClient&) = delete;
  CodeClient& operator=(const CodeClient&) = delete;
  CodeClient(CodeClient&&) = delete;
  CodeClient& operator=(CodeClient&&) = delete;
  virtual ~CodeClient() = default;

  // --- a change ------------------------------------------------------------------------------
  // Decides which calls the next code of the class has. Returns the methods that certainly get a
  // new version by that.
  [[nodiscard]] virtual std::set<jmethodID> decide(const ChangedClass& of, jclass type,
                                                   StackLook& look) = 0;
  // Decides that the next code has the same calls as the newest code.
  virtual void keep(const ChangedClass& of) = 0;

  // Whether a method with this code may get a new version although decide() has not named it.
  [[nodiscard]] virtual bool may_change(const ChangedClass& /*of*/,
                                        std::span<const std::uint8_t> /*code*/) const {
    return false;
  }

  // Returns the methods for which the client has decided on calls.
  [[nodiscard]] virtual std::set<jmethodID> methods(const ChangedClass& of) const = 0;
  // Notes that the VM has taken the next code. `as_decided` is false if it lacks something.
  virtual void changed(const ChangedClass& of, bool as_decided) = 0;

  // --- the hook, any thread ------------------------------------------------------------------
  // Whether the next code of the class has any call.
  [[nodiscard]] virtual bool has_calls(const ChangedClass& of) const = 0;
  // Adds the calls of the next code. Returns why some are left out, or an empty text.
  [[nodiscard]] virtual classfile::Rewritten<std::string> add(
      const ChangedClass& of, classfile::ClassFile& file,
      classfile::MethodInsertions& insertions) = 0;

  // The class cannot have all calls. Gives some up, and returns whether it has: then the hook tries
  // again without them.
  [[nodiscard]] virtual bool goes_without(const ChangedClass& /*of*/) { return false; }

  // Returns the class file to run in place of that of a class which was never changed, or none.
  [[nodiscard]] virtual std::optional<std::vector<std::uint8_t>> unchanged(
      std::span<const std::uint8_t> /*bytes*/) const {
    return std::nullopt;
  }

  // Returns the same for a class that is being loaded, with its name: a/b/C.
  [[nodiscard]] virtual std::optional<std::vector<std::uint8_t>> loading(
      std::string_view /*name*/, std::span<const std::uint8_t> /*bytes*/) const {
    return std::nullopt;
  }

  // --- sweeping ------------------------------------------------------------------------------
  // Changes the classes out of which calls may be taken now.
  virtual void sweep(Sweep how) = 0;
  // Whether a sweep may find some that threads have kept in classes.
  [[nodiscard]] virtual bool needs_sweep() const = 0;

  // --- a redefinition ------------------------------------------------------------------------
  // Whether the calls belong in the class whatever its code is, so a redefinition adds them again.
  // Any thread.
  [[nodiscard]] virtual bool stays_in(const ChangedClass& /*of*/) const { return false; }

  // Adds calls to methods of a new class file that have none yet. Any thread.
  virtual void complete(classfile::ClassFile& /*file*/,
                        classfile::MethodInsertions& /*insertions*/) const {}

  // Notes that the class was redefined. `kept`: the methods that have kept their calls.
  virtual void replaced(const ChangedClass& of, jclass type, const Codes& kept) = 0;

  // --- what is known of a class --------------------------------------------------------------
  // Called before the class is changed for the first time.
  virtual void begins(const ChangedClass& /*of*/, jclass /*type*/) {}

  // Whether the newest or the next code of the class has calls of the client.
  [[nodiscard]] virtual bool holds(const ChangedClass& of) const = 0;

  // Whether the client still needs what it knows of the class after the VM has unloaded it.
  [[nodiscard]] virtual bool holds_unloaded(const ChangedClass& /*of*/) const { return false; }

  virtual void forget(const ChangedClass& of) = 0;
  // Whether the hook has work for this client: in the next code of any class, or in classes that
  // are loaded.
  [[nodiscard]] virtual bool is_on() const = 0;
};

}  // namespace jvmdebug::agent::code
