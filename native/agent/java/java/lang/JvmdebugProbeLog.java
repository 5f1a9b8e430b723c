// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.concurrent.atomic.AtomicLong;

/** The ring into which log points write, and from which the agent reads: probes/log_ring.h. */
public final class JvmdebugProbeLog {
  private static final int SIZE = 1 << 18;

  /**
   * The ring, or null while nobody reads it. A check reads this field once, so the ring that it has
   * begun to write into stays until it is done.
   */
  public static JvmdebugProbeLog ring;

  public final long[] values = new long[SIZE];
  public final long[] published = new long[SIZE];
  public final Object[] objects = new Object[SIZE];
  public final AtomicLong tail = new AtomicLong();
  public final AtomicLong head = new AtomicLong();

  private JvmdebugProbeLog() {}
}
