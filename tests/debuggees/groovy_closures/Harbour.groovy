// SPDX-License-Identifier: Apache-2.0
// Closures whose names are properties and methods of what is around them, or of a delegate.
package lending

class Port {
    protected int stock = 40

    int inherited() { stock + 2 }
}

class Config {
    String host = 'north'
    int port = 8080

    int scaled(int by) { port * by }

    String getAddress() { host + ':' + port }
}

class Harbour extends Port {
    static int count = 3
    int days = 14
    int port = 1
    List<String> names = ['a', 'b']
    Map<String, Integer> depths = [north: 7]
    private String secret = 'key'

    static String named(int n) { "s$n" }

    String getLabel() { 'label' + days }

    private int hidden(int n) { n + days }

    void close() {
        [3].each { boat ->
            println boat + days // @each
        }
        def outer = { int extra ->
            def inner = {
                extra + it + days // @inner
            }
            inner(3)
        }
        outer(5)
        new Config().with {
            println port + days // @with
        }
        def told = {
            port + days // @told
        }
        told.delegate = new Config()
        told()
    }

    static void main(String[] args) {
        new Harbour().close()
        def open = {
            count + 1 // @static
        }
        println open()
    }
}
