// SPDX-License-Identifier: Apache-2.0
//
// The contents of the fake VM: the classes that the agent looks up by name, a small program (a
// shop) with every kind of field, method and array, and its threads. Also the actions of the
// threads: each is one that a real program does, with the events that a VM reports.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {

class World {
 public:
  static constexpr jint kVirtualThreadsSince = 21;

  explicit World(Vm& vm);

  // Resets values, stacks and the lives of threads. No thread may be in an action.
  void reset();

  [[nodiscard]] const std::vector<Thread*>& threads() const { return threads_; }

  // The thread that was not started when the world was made.
  [[nodiscard]] Thread& latecomer() const { return *threads_.at(kLate); }

  // The first thread, which calls into the agent at its start.
  [[nodiscard]] Thread& main() const { return *threads_.front(); }

  // More virtual threads, which reset() does not touch.
  std::vector<Thread*> make_virtual_threads(std::size_t size);

  [[nodiscard]] Class& type(std::string_view signature) const {
    return *vm_.class_named(signature);
  }

  [[nodiscard]] Method& method(std::string_view type, std::string_view name) const;

  [[nodiscard]] Object& item() const { return *item_; }

  // --- what a thread can do; on the thread itself, by Vm::post() ------------------------------
  // To the next instruction of its topmost frame: single step, breakpoint.
  void advance(Thread& self) const;
  // Calls a method, which stays on the stack: method entry, and as advance().
  void call(Thread& self, Method& method) const;
  // Leaves the topmost frame, unless it is the last: method exit, frame pop.
  void leave(Thread& self) const;
  // Throws; caught in the frame below.
  void raise(Thread& self) const;
  void prepare(Thread& self, Class& type) const;
  // Reads or writes the field, when it is watched.
  void touch(Thread& self, Field& field, bool write) const;
  // Enters a monitor that another thread owns, or waits on one.
  void meet_monitor(Thread& self, bool wait) const;
  // Begins a thread that was not started, or ends it. With `meets_monitor` a thread that waits for
  // its end owns the monitor that the VM needs to notify it: this causes an event of a thread whose
  // end was already reported.
  void begin(Thread& thread) const;
  void end(Thread& thread, bool meets_monitor = false) const;

 private:
  static constexpr std::size_t kLate = 3;

  void make_classes();
  void make_known_classes();
  void make_shop();
  void make_arrays();
  void make_threads();
  void fill();
  Frame frame(Method& method, jlocation index) const;
  void raise_in_frame(Thread& self) const;
  Method& code(Class& type, std::string name, std::string descriptor, jint modifiers = 0);

  [[nodiscard]] jobject local(Object* object) const { return vm_.local(object); }

  Vm& vm_;
  std::vector<Thread*> threads_;
  std::vector<std::pair<Class*, Object*>> singletons_;
  Object* item_ = nullptr;
  Object* lock_ = nullptr;
};

}  // namespace jvmdebug::fake
