// SPDX-License-Identifier: Apache-2.0
package kept;

import java.lang.reflect.Method;
import scala.Tuple2;
import scala.collection.immutable.Map;

/** A map and one more entry; the method is called otherwise in Scala 2.12 and 2.13. */
final class Grown {
    private Grown() {}

    @SuppressWarnings("unchecked")
    static Map<Object, Object> with(Map<Object, Object> map, Object key, Object value) {
        try {
            Method method = Map.class.getMethod("$plus", Tuple2.class);
            return (Map<Object, Object>) method.invoke(map, new Tuple2<>(key, value));
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
