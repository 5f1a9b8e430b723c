// SPDX-License-Identifier: Apache-2.0
import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Annotations in variables. */
@Annotated.Audited("aud")
@Annotated.Column(name = "total", types = {String.class, int.class})
@Annotated.Marker
public final class Annotated {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Audited {
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Column {
        String name();

        int length() default 7;

        Class<?>[] types() default {};
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Marker {}

    public static void main(String[] args) {
        Audited audited = Annotated.class.getAnnotation(Audited.class);
        Column column = Annotated.class.getAnnotation(Column.class);
        Marker marker = Annotated.class.getAnnotation(Marker.class);
        Annotation[] all = Annotated.class.getAnnotations();
        System.out.println(audited.value() + column.name() + marker + all.length); // @annotated
    }
}
