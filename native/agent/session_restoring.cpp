// SPDX-License-Identifier: Apache-2.0
//
// The end of a session: what the debugger has left behind is undone.
#include <chrono>
#include <thread>

#include "agent/commands/prefetched_keys.h"
#include "agent/events/breakpoints.h"
#include "agent/events/request_table.h"
#include "agent/events/sender.h"
#include "agent/heap/heap_events.h"
#include "agent/ids/field_ids.h"
#include "agent/ids/method_ids.h"
#include "agent/ids/object_table.h"
#include "agent/jvmti_access/access.h"
#include "agent/probes/probe_table.h"
#include "agent/sampling/sampler.h"
#include "agent/session.h"
#include "agent/threads/stepper.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent {

// A thread that still runs a method for the debugger may take long; it is tracked until it ends.
void Session::forget_virtual_threads() {
  constexpr int kAttempts = 20;
  constexpr auto kPause = std::chrono::milliseconds{5};
  for (int attempt = 1; !agent_.threads().forget_virtual() && attempt < kAttempts; ++attempt) {
    std::this_thread::sleep_for(kPause);
  }
}

// The order matters: no new events, none being sent, then all threads run.
void Session::restore() {
  const jvm::LocalFrame frame(agent_.jni());
  agent_.sampler().end();
  agent_.requests().clear_all();
  agent_.sender().disconnect();
  if (agent_.vm_is_dead()) {
    return;
  }
  agent_.heap_events().debugger_left();
  agent_.probes().log().close();
  jvmti_access_->end(agent_.jni());
  agent_.stepper().debugger_left();
  agent_.stepper().resuming();
  agent_.suspension().release_all();
  agent_.breakpoints().clear_removed();
  agent_.sender().run_soon([] {}, true);  // threads that wait in Java have been woken
  forget_virtual_threads();
  agent_.objects().clear();
  agent_.method_ids().clear();
  agent_.field_ids().clear();
  agent_.prefetched_keys().clear();
  agent_.tells_threads(0);
}

}  // namespace jvmdebug::agent
