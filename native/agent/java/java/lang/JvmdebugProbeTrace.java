// SPDX-License-Identifier: Apache-2.0
package java.lang;

/**
 * The stack of a thread that submitted a task. HotSpot stores it as it does for exceptions, and
 * makes it readable only when it is shown. It is never thrown.
 */
final class JvmdebugProbeTrace extends Throwable {
  private static final long serialVersionUID = 1;

  /** What was done with the task: a number of the agent's list (origins/origin_points.h). */
  final int kind;

  /** The name of the thread. */
  final String thread;

  JvmdebugProbeTrace(int kind, String thread) {
    super(null, null, false, true);
    this.kind = kind;
    this.thread = thread;
  }
}
