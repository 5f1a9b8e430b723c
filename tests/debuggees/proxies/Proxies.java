// SPDX-License-Identifier: Apache-2.0
// Interfaces that only proxies implement, whose handlers throw on what was thrown to them.

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

public class Proxies {
    static int asked;

    public interface Repository {
        String find(int id);
    }

    public interface Service {
        String serve(int id);
    }

    static final class Plain {
        public String find(int id) {
            if (id < 0) {
                throw new IllegalArgumentException("no such id"); // @thrown
            }
            return "found " + id;
        }
    }

    private static Repository repository() {
        InvocationHandler handler = (proxy, method, args) -> {
            return new Plain().find((Integer) args[0]);
        };
        return proxy(Repository.class, again(handler));
    }

    private static InvocationHandler again(InvocationHandler next) {
        return (proxy, method, args) -> {
            try {
                return next.invoke(proxy, method, args);
            } catch (RuntimeException error) {
                throw error; // @again
            }
        };
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    public static void main(String[] args) throws Exception {
        Repository repository = repository();
        System.out.println(repository.find(1)); // @first
        System.out.println(repository.find(2)); // @second
        Service service = proxy(Service.class, again((proxy, method, given) -> {
            return repository.find((Integer) given[0]);
        }));
        for (int round = 0; round < 2; round++) {
            try {
                service.serve(-1);
            } catch (IllegalArgumentException expected) {
                System.out.println(expected.getMessage()); // @caught
            }
        }
        try {
            Plain.class.getMethod("find", int.class).invoke(new Plain(), -2);
        } catch (InvocationTargetException wrapped) {
            System.out.println(wrapped.getCause().getMessage());
        }
    }
}
