// SPDX-License-Identifier: Apache-2.0
//
// The debugger's view of methods whose code the agent has changed: the program's own code. Env uses
// it in all functions that take or return an index of an instruction, so that the rest of the agent
// is independent of probes. "Actual" is what the VM runs, "shown" what the debugger sees.
// Implemented by code::CodeVersions.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <jvmti.h>

namespace jvmdebug::agent::jvm {

class CodeView {
 public:
  // A version of a method, as the VM has it.
  class Method {
   public:
    Method() = default;
    Method(const Method&) = delete;
    Method& operator=(const Method&) = delete;
    Method(Method&&) = delete;
    Method& operator=(Method&&) = delete;
    virtual ~Method() = default;

    // The version that has replaced this one, if old frames still run it.
    jmethodID shown = nullptr;
    // The method is the agent's, and hidden from the debugger.
    bool is_hidden = false;
    // The method is the agent's, and the debugger sees the program's frame instead; no events are
    // reported in it.
    bool is_quiet = false;

    [[nodiscard]] virtual bool is_changed() const = 0;
    [[nodiscard]] virtual jlocation shown_index(jlocation actual) const = 0;
    [[nodiscard]] virtual jlocation actual_index(jlocation shown) const = 0;
    // Whether the agent has put the instruction there.
    [[nodiscard]] virtual bool is_added(jlocation actual) const = 0;
    // The numbers of the probes in front of an instruction.
    [[nodiscard]] virtual std::vector<std::uint16_t> probes_at(jlocation shown) const = 0;
    [[nodiscard]] virtual std::vector<std::uint8_t> shown_code(
        std::span<const std::uint8_t> actual) const = 0;
  };

  CodeView() = default;
  CodeView(const CodeView&) = delete;
  CodeView& operator=(const CodeView&) = delete;
  CodeView(CodeView&&) = delete;
  CodeView& operator=(CodeView&&) = delete;
  virtual ~CodeView() = default;

  // Called before SetBreakpoint, on any thread: prevents code changes between our check of a
  // method's code and the VM's check of the index; otherwise a breakpoint could be set inside an
  // instruction. False if the agent has been changing code for long; then nothing is set, and
  // end_setting() is not called. A change by another agent that does not come is not waited for.
  [[nodiscard]] bool begin_setting();

  void end_setting() { --setting_; }

  // Called before a change of code, on an agent thread. False if a thread has been setting a
  // breakpoint for long, because it is suspended; then nothing is changed, and end_change() is not
  // called.
  [[nodiscard]] bool begin_change();

  void end_change() { changing_ = false; }

  // The same for a change by another agent, on the thread that is about to make it: waits, but not
  // for long, until no breakpoint is being set. HotSpot looks up the method of a breakpoint and
  // sets it a moment later; a change in between has it write to freed memory (JDK-8359366).
  void begin_foreign_change();

  // The same for another change by that thread whose last one has not been seen to end.
  void wait_for_setting() const;

  // Called when it is done, or has not come. Any thread.
  void end_foreign_change() { --foreign_changes_; }

  // Has `look` look whether changes by others are done. It is called on any thread that is to set a
  // breakpoint and has to wait. In the live phase, before the first of them.
  void set_foreign_look(std::function<void()> look) { foreign_look_ = std::move(look); }

  // False while no code has been changed; then the view is not used.
  [[nodiscard]] bool is_on() const { return on_; }

  // Returns the view of a method, never null.
  [[nodiscard]] virtual std::shared_ptr<const Method> method(jmethodID actual) = 0;

 protected:
  std::atomic<bool> on_ = false;

 private:
  std::atomic<int> setting_ = 0;
  std::atomic<bool> changing_ = false;
  std::atomic<int> foreign_changes_ = 0;
  std::function<void()> foreign_look_;
};

}  // namespace jvmdebug::agent::jvm
