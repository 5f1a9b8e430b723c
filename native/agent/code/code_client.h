// SPDX-License-Identifier: Apache-2.0
//
// Something that wants calls in the code of classes. CodeChanges asks its clients what the next
// code of a class is to have, and tells them what has become of that. A client keeps what it knows
// of a class by the address of its ChangedClass, until forget().
//
// The functions that say "any thread" are called by the hook for class files, while CodeChanges
// holds its lock: a client may take locks of higher ranks there. All others are called on agent
// threads, one at a time, without any lock.
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

// How calls that are not wanted any more are taken out of classes.
enum class Sweep : std::uint8_t {
  kGently,  // not out of classes that threads run, until one of the next times
  kWholly,
};

class CodeClient {
 public:
  // The own code of methods, by name and descriptor.
  using Codes = std::map<std::string, std::vector<std::uint8_t>>;

  CodeClient() = default;
  CodeClient(const CodeClient&) = delete;
  CodeClient& operator=(const CodeClient&) = delete;
  CodeClient(CodeClient&&) = delete;
  CodeClient& operator=(CodeClient&&) = delete;
  virtual ~CodeClient() = default;

  // --- a change ------------------------------------------------------------------------------
  // Decides which calls the next code of the class has. Returns the methods that certainly come out
  // as others by that.
  [[nodiscard]] virtual std::set<jmethodID> decide(const ChangedClass& of, jclass type,
                                                   StackLook& look) = 0;
  // Decides that the next code has the calls that the newest has.
  virtual void keep(const ChangedClass& of) = 0;

  // Whether a method with this code may come out as another by what decide() has not named.
  [[nodiscard]] virtual bool may_change(const ChangedClass& /*of*/,
                                        std::span<const std::uint8_t> /*code*/) const {
    return false;
  }

  // The methods for which the client has decided.
  [[nodiscard]] virtual std::set<jmethodID> methods(const ChangedClass& of) const = 0;
  // The VM has taken the next code. Not `as_decided`: it lacks something.
  virtual void changed(const ChangedClass& of, bool as_decided) = 0;

  // --- the hook, any thread ------------------------------------------------------------------
  // Whether the next code of the class has any call.
  [[nodiscard]] virtual bool has_calls(const ChangedClass& of) const = 0;
  // Adds the calls of the next code. Returns why some are left out; empty if none is.
  [[nodiscard]] virtual classfile::Rewritten<std::string> add(
      const ChangedClass& of, classfile::ClassFile& file,
      classfile::MethodInsertions& insertions) = 0;

  // The class cannot have all calls: whether the next code is to be tried without some.
  [[nodiscard]] virtual bool goes_without(const ChangedClass& /*of*/) { return false; }

  // What to run in place of a class that was never changed; none: that one.
  [[nodiscard]] virtual std::optional<std::vector<std::uint8_t>> unchanged(
      std::span<const std::uint8_t> /*bytes*/) const {
    return std::nullopt;
  }

  // The same of a class that is being loaded: a/b/C.
  [[nodiscard]] virtual std::optional<std::vector<std::uint8_t>> loading(
      std::string_view /*name*/, std::span<const std::uint8_t> /*bytes*/) const {
    return std::nullopt;
  }

  // --- sweeping ------------------------------------------------------------------------------
  // Has the classes changed out of which calls may be taken.
  virtual void sweep(Sweep how) = 0;

  // --- a redefinition ------------------------------------------------------------------------
  // Whether the calls in the class are those of each code, be it another one. Any thread.
  [[nodiscard]] virtual bool stays_in(const ChangedClass& /*of*/) const { return false; }

  // Adds calls to methods of a new class file that have none yet. Any thread.
  virtual void complete(classfile::ClassFile& /*file*/,
                        classfile::MethodInsertions& /*insertions*/) const {}

  // The class was redefined. `kept`: the methods that have kept their calls.
  virtual void replaced(const ChangedClass& of, jclass type, const Codes& kept) = 0;

  // --- what is known of a class --------------------------------------------------------------
  // It is going to be changed for the first time.
  virtual void begins(const ChangedClass& /*of*/, jclass /*type*/) {}

  // Whether the newest code of the class has calls of the client, or the next.
  [[nodiscard]] virtual bool holds(const ChangedClass& of) const = 0;

  // Whether that counts even when the VM has unloaded the class.
  [[nodiscard]] virtual bool holds_unloaded(const ChangedClass& /*of*/) const { return false; }

  virtual void forget(const ChangedClass& of) = 0;
  // Whether the next code of any class has calls, or classes that are loaded have.
  [[nodiscard]] virtual bool is_on() const = 0;
};

}  // namespace jvmdebug::agent::code
