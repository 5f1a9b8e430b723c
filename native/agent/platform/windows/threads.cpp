// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/threads.h"

#include <windows.h>

namespace jvmdebug::agent::platform {
namespace {

ULONG64 cycles_of(HANDLE thread) {
  ULONG64 cycles = 0;
  return QueryThreadCycleTime(thread, &cycles) != 0 ? cycles : 0;
}

}  // namespace

ThreadNumber this_thread() {
  return GetCurrentThreadId();
}

// Windows does not tell the state of one thread; one that is awake uses the processor meanwhile.
bool is_awake(ThreadNumber thread) {
  constexpr DWORD kLook = 1;  // ms
  HANDLE const opened = OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, thread);
  if (opened == nullptr) {
    return false;
  }
  const ULONG64 before = cycles_of(opened);
  Sleep(kLook);
  const bool has_run = cycles_of(opened) != before;
  (void)CloseHandle(opened);
  return has_run;
}

}  // namespace jvmdebug::agent::platform
