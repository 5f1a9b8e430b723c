// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.lang.ref.WeakReference;

/** What is known of one task; it does not keep the task alive. */
@SuppressWarnings({"rawtypes", "unchecked"})
final class JvmdebugProbeOrigin extends WeakReference {
  /**
   * The stack that submitted the task, then that which submitted the task that did so, and so on.
   * Empty for a task whose stack was not taken, to save time.
   */
  final JvmdebugProbeTrace[] links;

  /** Grows from one to the next. */
  final int number;

  JvmdebugProbeOrigin(Object task, JvmdebugProbeTrace[] links, int number) {
    super(task);
    this.links = links;
    this.number = number;
  }
}
