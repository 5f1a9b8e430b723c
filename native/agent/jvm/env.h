// SPDX-License-Identifier: Apache-2.0
//
// The JVM TI environment. Every function that the agent uses is here under its JVM TI name in
// snake_case. It is checked: it returns jvm::Result, and owns what JVM TI allocated. Local
// references in results belong to the caller's LocalFrame. Functions newer than the headers of JDK
// 17 check the VM's version first and return NOT_AVAILABLE on an older one. Knows no ids, and of
// JDWP only the error table. Any code may call it from any thread; it has no state of its own.
//
// Where the agent has put probes into a method, indices of instructions are those of the program's
// own code, and old versions of the method are treated as the current one: see CodeView.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/buffer.h"
#include "agent/jvm/capabilities.h"
#include "agent/jvm/code_view.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::jvm {

struct ThreadRecord {
  ModifiedUtf8 name;
  jint priority = 0;
  bool daemon = false;
  jthreadGroup group = nullptr;  // null once the thread is dead
  jobject context_class_loader = nullptr;
};

struct ThreadGroupRecord {
  jthreadGroup parent = nullptr;
  ModifiedUtf8 name;
  jint max_priority = 0;
  bool daemon = false;
};

struct ThreadGroupChildren {
  Buffer<jthread> threads;
  Buffer<jthreadGroup> groups;
};

// Names of a class (name absent), field or method. `generic` may be absent.
struct Names {
  ModifiedUtf8 name;
  ModifiedUtf8 signature;
  ModifiedUtf8 generic;
};

struct FrameLocation {
  jmethodID method = nullptr;
  jlocation index = -1;  // -1 in a native method
};

struct MethodExtent {
  jlocation first = -1;
  jlocation last = -1;
};

struct LocalVariableEntry {
  jlocation start = 0;
  jint length = 0;
  jint slot = 0;
  Names names;
};

struct ClassVersion {
  jint major = 0;
  jint minor = 0;
};

struct ConstantPool {
  jint entry_count = 0;
  Buffer<unsigned char> bytes;
};

struct MonitorUsage {
  jthread owner = nullptr;
  jint entry_count = 0;
  Buffer<jthread> waiters;         // waiting to enter, and on 22 and older in Object.wait as well
  Buffer<jthread> notify_waiters;  // in Object.wait
};

class Env {
 public:
  // Takes a new environment of the VM; the destructor disposes of it.
  static Result<Env> create(JavaVM* vm);
  Env(Env&& other) noexcept;
  Env& operator=(Env&&) = delete;
  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;
  ~Env();

  [[nodiscard]] jvmtiEnv* raw() const { return env_; }

  [[nodiscard]] JavaVM* vm() const { return vm_; }

  // The JNI environment of the calling thread, which must be attached.
  [[nodiscard]] Jni jni() const;

  // The feature release of the VM: 11, 17, 21, 25.
  [[nodiscard]] jint feature_version() const { return feature_version_; }

  [[nodiscard]] bool has(Capability capability) const { return capabilities_.has(capability); }

  void set_capabilities(const Capabilities& taken) { capabilities_ = taken; }

  // Sets the code view, which must live as long as this.
  void set_code_view(CodeView* view) { code_view_ = view; }

  // The debugger's view of a method; null if its code has not been changed.
  [[nodiscard]] std::shared_ptr<const CodeView::Method> code_view(jmethodID method) const {
    return code_view_ != nullptr && code_view_->is_on() ? code_view_->method(method) : nullptr;
  }

  // --- environment, events, properties ----------------------------------------------------------
  // For what the VM is to own.
  [[nodiscard]] Result<unsigned char*> allocate(std::size_t size) const;
  [[nodiscard]] Result<jvmtiPhase> get_phase() const;
  [[nodiscard]] Result<Capabilities> get_potential_capabilities() const;
  [[nodiscard]] Result<void> add_capabilities(const Capabilities& wanted) const;
  [[nodiscard]] Result<void> relinquish_capabilities(const Capabilities& unwanted) const;
  [[nodiscard]] Result<void> set_environment_local_storage(const void* pointer) const;
  [[nodiscard]] Result<void> set_event_callbacks(const jvmtiEventCallbacks& callbacks,
                                                 jint size) const;
  // Enables or disables an event; for all threads if `thread` is null.
  [[nodiscard]] Result<void> set_event_notification_mode(jvmtiEventMode mode, jvmtiEvent event,
                                                         jthread thread = nullptr) const;
  // Absent when the VM does not know the property.
  [[nodiscard]] ModifiedUtf8 get_system_property(const char* name) const;
  // Finds an extension function; NOT_AVAILABLE when this VM has none of that name.
  [[nodiscard]] Result<jvmtiExtensionFunction> get_extension_function(std::string_view id) const;
  // Calls an extension function that takes a thread and returns one.
  [[nodiscard]] Result<jthread> ask_extension_function(jvmtiExtensionFunction function,
                                                       jthread thread) const;

  // --- threads ----------------------------------------------------------------------------------
  [[nodiscard]] Result<jint> get_thread_state(jthread thread) const;
  [[nodiscard]] Result<jthread> get_current_thread() const;
  [[nodiscard]] Result<Buffer<jthread>> get_all_threads() const;
  [[nodiscard]] Result<ThreadRecord> get_thread_info(jthread thread) const;
  [[nodiscard]] Result<void> suspend_thread(jthread thread) const;
  [[nodiscard]] Result<void> resume_thread(jthread thread) const;
  // Writes one code per thread to `outcomes`, which must be as long as `threads`.
  [[nodiscard]] Result<void> suspend_thread_list(std::span<const jthread> threads,
                                                 std::span<jvmtiError> outcomes) const;
  [[nodiscard]] Result<void> resume_thread_list(std::span<const jthread> threads,
                                                std::span<jvmtiError> outcomes) const;
  // Available in 21 and newer.
  [[nodiscard]] Result<void> suspend_all_virtual_threads(std::span<const jthread> except) const;
  [[nodiscard]] Result<void> resume_all_virtual_threads(std::span<const jthread> except) const;
  [[nodiscard]] Result<void> stop_thread(jthread thread, jobject exception) const;
  [[nodiscard]] Result<void> interrupt_thread(jthread thread) const;
  [[nodiscard]] Result<void> run_agent_thread(jthread thread, jvmtiStartFunction procedure,
                                              const void* argument, jint priority) const;
  [[nodiscard]] Result<void> set_thread_local_storage(jthread thread, const void* pointer) const;
  [[nodiscard]] Result<void*> get_thread_local_storage(jthread thread) const;
  [[nodiscard]] Result<Buffer<jobject>> get_owned_monitor_info(jthread thread) const;
  [[nodiscard]] Result<Buffer<jvmtiMonitorStackDepthInfo>> get_owned_monitor_stack_depth_info(
      jthread thread) const;
  [[nodiscard]] Result<jobject> get_current_contended_monitor(jthread thread) const;
  // The time in nanoseconds.
  [[nodiscard]] Result<jlong> get_thread_cpu_time(jthread thread) const;

  // --- thread groups ----------------------------------------------------------------------------
  [[nodiscard]] Result<Buffer<jthreadGroup>> get_top_thread_groups() const;
  [[nodiscard]] Result<ThreadGroupRecord> get_thread_group_info(jthreadGroup group) const;
  [[nodiscard]] Result<ThreadGroupChildren> get_thread_group_children(jthreadGroup group) const;

  // --- frames and early return ------------------------------------------------------------------
  [[nodiscard]] Result<jint> get_frame_count(jthread thread) const;
  // Fills `frames`, beginning at depth `start`, and returns how many there were.
  [[nodiscard]] Result<jint> get_stack_trace(jthread thread, jint start,
                                             std::span<jvmtiFrameInfo> frames) const;
  [[nodiscard]] Result<FrameLocation> get_frame_location(jthread thread, jint depth) const;
  // Counts the topmost frames that are the agent's or of code that a check has called.
  [[nodiscard]] jint count_hidden_frames(jthread thread) const;
  // The same for a thread that is about to park inside a check, including the frames that park it.
  // Waits a moment until the thread has parked or is suspended, so that its stack does not change.
  [[nodiscard]] jint count_frames_of_check(jthread thread) const;
  // Likewise: counts the frames above those.
  [[nodiscard]] jint count_frames_above(jthread thread, jint others) const;
  // Includes the agent's own frames and instructions, as the VM has them.
  [[nodiscard]] Result<jint> get_actual_stack_trace(jthread thread, jint start,
                                                    std::span<jvmtiFrameInfo> frames) const;
  // Returns the stacks of all platform threads, or of the given threads, at one moment; at most
  // `most_frames` frames of each, as the VM has them.
  [[nodiscard]] Result<Buffer<jvmtiStackInfo>> get_all_stack_traces(jint most_frames) const;
  [[nodiscard]] Result<Buffer<jvmtiStackInfo>> get_thread_list_stack_traces(
      std::span<const jthread> threads, jint most_frames) const;
  [[nodiscard]] Result<void> pop_frame(jthread thread) const;
  [[nodiscard]] Result<void> notify_frame_pop(jthread thread, jint depth) const;
  // Whether frame pops can be cleared: 25 and newer.
  [[nodiscard]] bool can_clear_frame_pops() const;
  [[nodiscard]] Result<void> clear_all_frame_pops(jthread thread) const;
  [[nodiscard]] Result<void> force_early_return_object(jthread thread, jobject value) const;
  [[nodiscard]] Result<void> force_early_return_int(jthread thread, jint value) const;
  [[nodiscard]] Result<void> force_early_return_long(jthread thread, jlong value) const;
  [[nodiscard]] Result<void> force_early_return_float(jthread thread, jfloat value) const;
  [[nodiscard]] Result<void> force_early_return_double(jthread thread, jdouble value) const;
  [[nodiscard]] Result<void> force_early_return_void(jthread thread) const;

  // --- local variables --------------------------------------------------------------------------
  [[nodiscard]] Result<jobject> get_local_object(jthread thread, jint depth, jint slot) const;
  [[nodiscard]] Result<jobject> get_local_instance(jthread thread, jint depth) const;
  [[nodiscard]] Result<jint> get_local_int(jthread thread, jint depth, jint slot) const;
  [[nodiscard]] Result<jlong> get_local_long(jthread thread, jint depth, jint slot) const;
  [[nodiscard]] Result<jfloat> get_local_float(jthread thread, jint depth, jint slot) const;
  [[nodiscard]] Result<jdouble> get_local_double(jthread thread, jint depth, jint slot) const;
  [[nodiscard]] Result<void> set_local_object(jthread thread, jint depth, jint slot,
                                              jobject value) const;
  [[nodiscard]] Result<void> set_local_int(jthread thread, jint depth, jint slot, jint value) const;
  [[nodiscard]] Result<void> set_local_long(jthread thread, jint depth, jint slot,
                                            jlong value) const;
  [[nodiscard]] Result<void> set_local_float(jthread thread, jint depth, jint slot,
                                             jfloat value) const;
  [[nodiscard]] Result<void> set_local_double(jthread thread, jint depth, jint slot,
                                              jdouble value) const;

  // --- breakpoints and watches ------------------------------------------------------------------
  [[nodiscard]] Result<void> set_breakpoint(jmethodID method, jlocation index) const;
  [[nodiscard]] Result<void> clear_breakpoint(jmethodID method, jlocation index) const;
  [[nodiscard]] Result<void> set_field_access_watch(jclass type, jfieldID field) const;
  [[nodiscard]] Result<void> clear_field_access_watch(jclass type, jfieldID field) const;
  [[nodiscard]] Result<void> set_field_modification_watch(jclass type, jfieldID field) const;
  [[nodiscard]] Result<void> clear_field_modification_watch(jclass type, jfieldID field) const;

  // --- classes and modules ----------------------------------------------------------------------
  [[nodiscard]] Result<Buffer<jclass>> get_loaded_classes() const;
  [[nodiscard]] Result<Buffer<jclass>> get_class_loader_classes(jobject loader) const;
  [[nodiscard]] Result<Names> get_class_signature(jclass type) const;
  // Leaves out the generic signature, which halves the cost for callers that read every class.
  [[nodiscard]] Result<ModifiedUtf8> get_class_signature_only(jclass type) const;
  [[nodiscard]] Result<jint> get_class_status(jclass type) const;
  [[nodiscard]] Result<ModifiedUtf8> get_source_file_name(jclass type) const;
  [[nodiscard]] Result<ModifiedUtf8> get_source_debug_extension(jclass type) const;
  [[nodiscard]] Result<jint> get_class_modifiers(jclass type) const;
  [[nodiscard]] Result<Buffer<jmethodID>> get_class_methods(jclass type) const;
  [[nodiscard]] Result<Buffer<jfieldID>> get_class_fields(jclass type) const;
  [[nodiscard]] Result<Buffer<jclass>> get_implemented_interfaces(jclass type) const;
  [[nodiscard]] Result<ClassVersion> get_class_version_numbers(jclass type) const;
  [[nodiscard]] Result<ConstantPool> get_constant_pool(jclass type) const;
  [[nodiscard]] Result<bool> is_interface(jclass type) const;
  [[nodiscard]] Result<bool> is_array_class(jclass type) const;
  [[nodiscard]] Result<jobject> get_class_loader(jclass type) const;
  [[nodiscard]] Result<void> redefine_classes(
      std::span<const jvmtiClassDefinition> definitions) const;
  [[nodiscard]] Result<void> retransform_classes(std::span<const jclass> types) const;
  [[nodiscard]] Result<Buffer<jobject>> get_all_modules() const;

  // --- objects and the heap ---------------------------------------------------------------------
  [[nodiscard]] Result<jint> get_object_hash_code(jobject object) const;
  [[nodiscard]] Result<jlong> get_object_size(jobject object) const;
  [[nodiscard]] Result<jlong> get_tag(jobject object) const;
  [[nodiscard]] Result<void> set_tag(jobject object, jlong tag) const;
  [[nodiscard]] Result<Buffer<jobject>> get_objects_with_tags(std::span<const jlong> tags) const;
  [[nodiscard]] Result<void> follow_references(jint filter, jclass type, jobject initial,
                                               const jvmtiHeapCallbacks& callbacks,
                                               const void* context) const;
  [[nodiscard]] Result<void> iterate_through_heap(jint filter, jclass type,
                                                  const jvmtiHeapCallbacks& callbacks,
                                                  const void* context) const;
  [[nodiscard]] Result<MonitorUsage> get_object_monitor_usage(jobject object) const;

  // --- fields and methods -----------------------------------------------------------------------
  [[nodiscard]] Result<Names> get_field_name(jclass type, jfieldID field) const;
  [[nodiscard]] Result<jclass> get_field_declaring_class(jclass type, jfieldID field) const;
  [[nodiscard]] Result<jint> get_field_modifiers(jclass type, jfieldID field) const;
  [[nodiscard]] Result<bool> is_field_synthetic(jclass type, jfieldID field) const;
  [[nodiscard]] Result<Names> get_method_name(jmethodID method) const;
  [[nodiscard]] Result<jclass> get_method_declaring_class(jmethodID method) const;
  [[nodiscard]] Result<jint> get_method_modifiers(jmethodID method) const;
  [[nodiscard]] Result<jint> get_arguments_size(jmethodID method) const;
  [[nodiscard]] Result<jint> get_max_locals(jmethodID method) const;
  [[nodiscard]] Result<Buffer<jvmtiLineNumberEntry>> get_line_number_table(jmethodID method) const;
  [[nodiscard]] Result<MethodExtent> get_method_location(jmethodID method) const;
  [[nodiscard]] Result<std::vector<LocalVariableEntry>> get_local_variable_table(
      jmethodID method) const;
  [[nodiscard]] Result<Buffer<unsigned char>> get_bytecodes(jmethodID method) const;
  // Returns the code as the VM runs it, with what the agent has added.
  [[nodiscard]] Result<Buffer<unsigned char>> get_actual_bytecodes(jmethodID method) const;
  [[nodiscard]] Result<bool> is_method_native(jmethodID method) const;
  [[nodiscard]] Result<bool> is_method_synthetic(jmethodID method) const;
  [[nodiscard]] Result<bool> is_method_obsolete(jmethodID method) const;

 private:
  [[nodiscard]] jint frames_down_to_check(jthread thread) const;
  void await_parked(jthread thread) const;

  Env(JavaVM* vm, jvmtiEnv* env, jint feature_version)
      : vm_(vm), env_(env), feature_version_(feature_version) {}

  template <class... Parameters, class... Arguments>
  [[nodiscard]] Result<void> call(jvmtiError (jvmtiEnv::*function)(Parameters...),
                                  Arguments... arguments) const {
    return checked((env_->*function)(arguments...));
  }

  // Calls a function whose last parameter receives the result.
  template <class T, class... Parameters, class... Arguments>
  [[nodiscard]] Result<T> get(jvmtiError (jvmtiEnv::*function)(Parameters...),
                              Arguments... arguments) const {
    T answer{};
    if (const jvmtiError code = (env_->*function)(arguments..., &answer);
        code != JVMTI_ERROR_NONE) {
      return std::unexpected(Error{code});
    }
    return answer;
  }

  template <class... Parameters, class... Arguments>
  [[nodiscard]] Result<bool> truth(jvmtiError (jvmtiEnv::*function)(Parameters...),
                                   Arguments... arguments) const {
    jboolean answer = JNI_FALSE;
    if (const jvmtiError code = (env_->*function)(arguments..., &answer);
        code != JVMTI_ERROR_NONE) {
      return std::unexpected(Error{code});
    }
    return answer != JNI_FALSE;
  }

  template <class... Parameters, class... Arguments>
  [[nodiscard]] Result<ModifiedUtf8> text(jvmtiError (jvmtiEnv::*function)(Parameters...),
                                          Arguments... arguments) const {
    char* answer = nullptr;
    if (const jvmtiError code = (env_->*function)(arguments..., &answer);
        code != JVMTI_ERROR_NONE) {
      return std::unexpected(Error{code});
    }
    return ModifiedUtf8(env_, answer);
  }

  // Calls a function whose last two parameters receive a count and an array.
  template <class T, class... Parameters, class... Arguments>
  [[nodiscard]] Result<Buffer<T>> list(jvmtiError (jvmtiEnv::*function)(Parameters...),
                                       Arguments... arguments) const {
    jint count = 0;
    T* elements = nullptr;
    if (const jvmtiError code = (env_->*function)(arguments..., &count, &elements);
        code != JVMTI_ERROR_NONE) {
      return std::unexpected(Error{code});
    }
    return Buffer<T>(env_, elements, static_cast<std::size_t>(count));
  }
  // Finds a function that jvmti.h of JDK 17 does not declare, by its position in the function
  // table.
  template <class Function>
  [[nodiscard]] Function slot(std::size_t position) const;

  JavaVM* vm_;
  jvmtiEnv* env_;
  jint feature_version_;
  Capabilities capabilities_;
  CodeView* code_view_ = nullptr;
};

}  // namespace jvmdebug::agent::jvm
