// SPDX-License-Identifier: Apache-2.0
package shop;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.matcher.Matchers;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;

/** A method that an interceptor is around: a subclass that Guice generates calls both. */
public final class Guiced {
    private Guiced() {}

    @Retention(RetentionPolicy.RUNTIME)
    @interface Traced {}

    static class Around implements MethodInterceptor {
        @Override
        public Object invoke(MethodInvocation call) throws Throwable {
            Object got = call.proceed(); // @proceed
            return got; // @around
        }
    }

    public static class Order {
        @Inject
        public Order() {}

        @Traced
        public int price(int count) {
            return count * 3; // @price
        }
    }

    public static void main(String[] args) {
        var injector =
                Guice.createInjector(
                        new AbstractModule() {
                            @Override
                            protected void configure() {
                                bindInterceptor(
                                        Matchers.any(),
                                        Matchers.annotatedWith(Traced.class),
                                        new Around());
                            }
                        });
        Order order = injector.getInstance(Order.class);
        int got = order.price(2); // @call
        System.out.println(got + " " + order.getClass().getName()); // @end
    }
}
