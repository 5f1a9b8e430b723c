// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/threads.h"

#include <mach/mach.h>
#include <pthread.h>

namespace jvmdebug::agent::platform {

ThreadNumber this_thread() {
  return pthread_mach_thread_np(pthread_self());
}

bool is_awake(ThreadNumber thread) {
  thread_basic_info info{};
  mach_msg_type_number_t size = THREAD_BASIC_INFO_COUNT;
  return thread_info(thread, THREAD_BASIC_INFO, reinterpret_cast<thread_info_t>(&info), &size) ==
             KERN_SUCCESS &&
         (info.run_state == TH_STATE_RUNNING || info.run_state == TH_STATE_UNINTERRUPTIBLE);
}

}  // namespace jvmdebug::agent::platform
