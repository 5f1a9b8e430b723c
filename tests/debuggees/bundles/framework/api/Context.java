// SPDX-License-Identifier: Apache-2.0
package framework.api;

/** What a bundle is given: its class is the framework's, wherever a bundle has a copy of it. */
public class Context {
    private final String name;

    public Context(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    public <T> T get(Class<T> type) throws Exception {
        return type.getDeclaredConstructor().newInstance();
    }
}
