// SPDX-License-Identifier: Apache-2.0
//
// The parts of a fake VM: classes with fields and methods, objects, threads with frames. Plain
// structures without behaviour; Vm owns them and guards them with its mutex, World makes them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <jvmti.h>

namespace jvmdebug::fake {

// JVM specification, tables 4.1-B, 4.5-A and 4.6-A.
inline constexpr jint kPublic = 0x0001;
inline constexpr jint kStatic = 0x0008;
inline constexpr jint kFinal = 0x0010;
inline constexpr jint kNative = 0x0100;
inline constexpr jint kInterface = 0x0200;

struct Class;
struct Environment;
struct Object;
class Vm;

// A variable: a reference, or the bits of a primitive value.
struct Cell {
  jvalue bits{};
  Object* object = nullptr;
};

// A field. As in HotSpot the id of an instance field is its offset in the object, so fields of
// unrelated classes have the same id; an id means nothing without the class.
struct Field {
  Class* declaring = nullptr;
  std::string name;
  std::string signature;
  jint modifiers = 0;
  jfieldID id = nullptr;

  [[nodiscard]] bool is_static() const { return (modifiers & kStatic) != 0; }
};

struct Local {
  std::string name;
  std::string signature;
  jint slot = 0;
};

struct Method {
  Class* declaring = nullptr;
  std::string name;
  std::string descriptor;
  jint modifiers = 0;
  jint max_locals = 0;
  jlocation last = -1;  // the last code index; -1: no code
  std::vector<jvmtiLineNumberEntry> lines;
  std::optional<std::vector<Local>> locals;  // live in all of the code; none: no table
  bool obsolete = false;

  [[nodiscard]] bool is_static() const { return (modifiers & kStatic) != 0; }

  [[nodiscard]] bool is_native() const { return (modifiers & kNative) != 0; }

  [[nodiscard]] std::string result() const { return descriptor.substr(descriptor.find(')') + 1); }
};

struct Class {
  std::string signature;
  std::string source_file;
  std::string debug_extension;
  jint modifiers = kPublic;
  jint status = 0;
  Class* superclass = nullptr;
  Class* component = nullptr;  // of an array class
  std::vector<Class*> interfaces;
  std::vector<Field*> fields;
  std::vector<Method*> methods;
  Object* loader = nullptr;
  Object* mirror = nullptr;  // the java.lang.Class object
  std::unordered_map<const Field*, Cell> statics;

  [[nodiscard]] bool is_interface() const { return (modifiers & kInterface) != 0; }

  [[nodiscard]] bool is_array() const { return signature.front() == '['; }
};

struct Thread;

struct Object {
  Class* type = nullptr;
  bool permanent = false;  // part of the world; others are freed when nothing refers to them
  std::unordered_map<const Field*, Cell> fields;
  std::vector<Cell> elements;       // of an array
  std::u16string text;              // of a string
  Class* mirrored = nullptr;        // of a java.lang.Class object
  Thread* thread = nullptr;         // of a java.lang.Thread object
  std::string group;                // name of a java.lang.ThreadGroup object
  Thread* monitor_owner = nullptr;  // the thread that has locked it
  std::map<const Environment*, jlong> tags;
};

struct Frame {
  Method* method = nullptr;
  jlocation index = 0;
  std::vector<Cell> slots;
  Object* self = nullptr;  // `this`
  bool watched = false;    // NotifyFramePop
};

// The JNIEnv of one thread; the agent sees the base.
struct JniEnv : JNIEnv {
  Vm* vm = nullptr;
  Thread* thread = nullptr;
};

enum class Life : std::uint8_t { kNew, kAlive, kTerminated };

struct Thread {
  Object* object = nullptr;
  std::string name;
  bool virtual_thread = false;
  Life life = Life::kNew;
  bool suspended = false;
  bool exiting = false;  // its end was reported; as in HotSpot it can no longer be suspended
  bool interrupted = false;
  bool pop_wanted = false;                         // PopFrame: done when it runs again
  bool return_wanted = false;                      // ForceEarlyReturn: the same
  bool in_call = false;                            // inside a callback of the agent
  int calls = 0;                                   // nested calls into the VM
  std::vector<Frame> frames;                       // the topmost first
  std::function<void()> goes_on;                   // runs once after its frames were counted
  std::vector<std::pair<Object*, jint>> monitors;  // and the depth that owns each
  Object* contended = nullptr;
  Object* exception = nullptr;  // pending in JNI
  std::map<const Environment*, const void*> storage;
  JniEnv jni;
  std::vector<std::vector<jobject>> locals;  // handles by local frame, the innermost last

  // The tasks of the thread; see Vm::post().
  std::deque<std::function<void()>> tasks;
  bool busy = false;
  std::thread runner;
};

}  // namespace jvmdebug::fake
