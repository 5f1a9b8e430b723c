// SPDX-License-Identifier: Apache-2.0
package yard;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;

/** Stands for JUnit's own annotation. */
@Test
@Retention(RetentionPolicy.RUNTIME)
public @interface Rule {
  String[] value() default {"a", "b"};

  Class<?> type() default String.class;

  Retention kept() default @Retention(RetentionPolicy.CLASS);
}
