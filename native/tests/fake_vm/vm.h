// SPDX-License-Identifier: Apache-2.0
//
// A small simulated VM: enough of JNI and JVM TI to create the agent and to drive it with any
// packets, without Java. It is strict where a real VM crashes: a reference, method id or field id
// that it did not give out, an object of the wrong kind, an index out of range, a JNI call with an
// exception pending, or memory freed twice ends the program with a message. It counts references
// and memory, so leaks are found.
//
// Threads of the program (the actors) run the tasks of post(); a suspended one stops at its next
// call into the VM, as in HotSpot, so that a lock held over such a call is found. Agent threads are
// real threads.
//
// To add a function: write it in jni.cpp or one of the jvmti_*.cpp files and put it in the table at
// its end. Missing JVM TI functions return NOT_AVAILABLE and are reported on stderr.
#pragma once

#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tests/fake_vm/failures.h"
#include "tests/fake_vm/model.h"
#include "tests/fake_vm/tables.h"

namespace jvmdebug::fake {

struct Settings {
  jint feature_version = 17;
  // Decides which agent threads run, by name; a test does not need those that wait for a socket.
  std::function<bool(std::string_view)> runs_agent_thread;
};

enum class HandleKind : std::uint8_t { kLocal, kGlobal, kWeak };

struct Handle {
  HandleKind kind = HandleKind::kLocal;
  Object* object = nullptr;  // null: a weak one whose object was collected
  Thread* owner = nullptr;   // of a local one
};

// A JVM TI environment; the agent sees the base.
struct Environment : jvmtiEnv {
  Vm* vm = nullptr;
  const void* storage = nullptr;
  jvmtiCapabilities capabilities{};
  CallbackSlots callbacks{};
  std::set<int> events;  // switched on for all threads
  std::set<std::pair<int, const Thread*>> by_thread;
  bool disposed = false;
};

struct JavaVm : JavaVM {
  JavaVm() : JavaVM{} {}

  Vm* vm = nullptr;
};

class Vm {
 public:
  explicit Vm(Settings settings);
  Vm(const Vm&) = delete;
  Vm& operator=(const Vm&) = delete;
  Vm(Vm&&) = delete;
  Vm& operator=(Vm&&) = delete;
  // Never called while an agent lives, because an agent is not destroyed either.
  ~Vm() = default;

  [[nodiscard]] JavaVM* java_vm() { return &java_vm_; }

  [[nodiscard]] std::recursive_mutex& mutex() { return mutex_; }

  [[nodiscard]] jint feature_version() const { return settings_.feature_version; }

  // --- the calling thread ---------------------------------------------------------------------
  [[nodiscard]] static Thread* current();
  // Blocks while the calling thread is suspended. `lock` holds mutex().
  void pass_safepoint(std::unique_lock<std::recursive_mutex>& lock);

  // --- references -----------------------------------------------------------------------------
  [[nodiscard]] jobject local(Object* object);
  [[nodiscard]] jobject reference(Object* object, HandleKind kind);
  // Returns the object of a reference, null for null. Ends the program if it is not a valid
  // reference, or is another thread's.
  [[nodiscard]] Object* object(jobject reference, const char* function);
  void release(jobject reference, HandleKind kind, const char* function);
  void push_locals();
  void pop_locals();
  [[nodiscard]] std::size_t count(HandleKind kind) const;

  [[nodiscard]] std::size_t allocations() const { return memory_.size(); }

  // --- memory of JVM TI -----------------------------------------------------------------------
  [[nodiscard]] unsigned char* allocate(std::size_t size);
  void deallocate(unsigned char* memory);
  [[nodiscard]] char* text(std::string_view content);

  // Makes an array of local references.
  template <class Reference, class Objects>
  void list(const Objects& objects, jint* count, Reference** references) {
    auto* memory = reinterpret_cast<Reference*>(allocate(objects.size() * sizeof(Reference) + 1));
    for (std::size_t index = 0; Object* each : objects) {
      memory[index++] = static_cast<Reference>(local(each));
    }
    *count = static_cast<jint>(objects.size());
    *references = memory;
  }

  // Makes an array of plain values.
  template <class T>
  void give(const std::vector<T>& values, jint* count, T** array) {
    auto* const memory = allocate(values.size() * sizeof(T) + 1);
    if (!values.empty()) {
      std::memcpy(memory, values.data(), values.size() * sizeof(T));
    }
    *count = static_cast<jint>(values.size());
    *array = reinterpret_cast<T*>(memory);
  }

  // --- what there is --------------------------------------------------------------------------
  Class& add_class(std::string signature, Class* superclass);
  Field& add_field(Class& type, std::string name, std::string signature, jint modifiers = 0);
  Method& add_method(Class& type, std::string name, std::string descriptor, jint modifiers = 0);
  Object& add_object(Class& type, bool permanent);
  Thread& add_thread(Object& object, std::string name);
  Object& make_string(std::u16string text);
  [[nodiscard]] Class* class_named(std::string_view signature);
  [[nodiscard]] static bool is_subclass(const Class* type, const Class* of);

  [[nodiscard]] bool is_a(const Object* object, std::string_view signature);

  // Finds a field of the class or its superclasses; null if there is none.
  [[nodiscard]] static Field* find_field(const Class* type, jfieldID id, bool wants_static);
  // Returns the method of an id; ends the program if it is not a method id.
  [[nodiscard]] Method* method(jmethodID id, const char* function);

  [[nodiscard]] std::vector<Class*> classes() const;

  [[nodiscard]] const std::vector<Method*>& methods() const { return methods_; }

  [[nodiscard]] const std::vector<std::unique_ptr<Object>>& objects() const { return objects_; }

  [[nodiscard]] const std::vector<std::unique_ptr<Thread>>& threads() const { return threads_; }

  // Frees objects that nothing refers to, and reports the tagged ones.
  void collect();

  // True while it reports them: only callback-safe functions of JVM TI may be called.
  [[nodiscard]] bool is_collecting() const { return collecting_; }

  // --- environments ---------------------------------------------------------------------------
  [[nodiscard]] Environment& add_environment();
  void dispose(Environment& environment);

  [[nodiscard]] const std::vector<std::unique_ptr<Environment>>& environments() const {
    return environments_;
  }

  // --- threads --------------------------------------------------------------------------------
  // The thread of the argument; null means the current one, as in JVM TI.
  [[nodiscard]] Thread* thread(jthread reference, const char* function);
  [[nodiscard]] jvmtiError suspend(Thread& thread);
  [[nodiscard]] jvmtiError resume(Thread& thread);
  void start_agent_thread(Thread& thread, std::function<void()> body);

  // Queues a task for a thread of the program, which runs it when it is not suspended.
  void post(Thread& thread, std::function<void()> task);
  // Waits until the thread has done all its tasks or is suspended; false if that takes too long.
  [[nodiscard]] bool wait_until_idle(Thread& thread, int timeout_ms);

  // Calls `run` for each environment that has the event enabled for the current thread, with its
  // callback, without the mutex and in a local frame. Returns false if frames were popped
  // meanwhile; the caller decides what follows.
  bool send_event(jvmtiEvent event, const std::function<void(Environment&, void*)>& run);

  // --- places ---------------------------------------------------------------------------------
  std::set<std::pair<const Method*, jlocation>> breakpoints;
  std::set<std::pair<const Field*, bool>> watches;  // and whether for modification

  // Called around each callback, on its thread; the argument is the callback.
  std::function<void(const std::function<void()>&)> around_callbacks;

  // The JVM TI functions that were called and are missing.
  std::set<int> missing;

 private:
  void run_actor(Thread& thread);
  void finish_frame(Thread& thread);
  void mark(std::unordered_set<const Object*>& marked, Object* object) const;
  void mark_roots(std::unordered_set<const Object*>& marked) const;
  void notify_freed(const Object& object);
  void call_back(const std::function<void()>& callback) const;

  Settings settings_;
  mutable std::recursive_mutex mutex_;
  std::condition_variable_any changed_;
  bool collecting_ = false;
  JavaVm java_vm_;
  std::unordered_map<jobject, Handle> handles_;
  std::uintptr_t next_handle_ = 0x10000;
  std::unordered_map<unsigned char*, std::unique_ptr<unsigned char[]>> memory_;
  std::vector<std::unique_ptr<Class>> classes_;
  std::vector<std::unique_ptr<Field>> owned_fields_;
  std::vector<std::unique_ptr<Method>> owned_methods_;
  std::vector<Method*> methods_;
  std::vector<std::unique_ptr<Object>> objects_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<std::unique_ptr<Environment>> environments_;
};

// Ends the program, because the agent did something that would crash a VM.
[[noreturn]] void refuse(const char* function, std::string_view why);

// The common beginning of all functions of the tables: takes the mutex, stops while suspended and,
// for JNI, checks the thread and that no exception is pending.
class Entry {
 public:
  Entry(jvmtiEnv* env, const char* function);
  Entry(JNIEnv* env, const char* function, bool with_exception = false);

  Vm& vm;
  const char* function;

  [[nodiscard]] Object* object(jobject reference) const { return vm.object(reference, function); }

  // Returns an instance; ends the program for null, or for an object of another class.
  [[nodiscard]] Object& instance(jobject reference) const;
  [[nodiscard]] Class& type(jclass reference) const;
  // Returns null if it is not a class; for JVM TI, which checks its arguments itself.
  [[nodiscard]] Class* class_or_null(jclass reference) const;

 private:
  void count_call() const;

  OwnMemory memory_;
  std::unique_lock<std::recursive_mutex> lock_;
};

}  // namespace jvmdebug::fake
