// SPDX-License-Identifier: Apache-2.0
// Closures with captured variables, of declared types and not, and one in another.
package lending

class Library {
    int days = 14

    int lend(List<Integer> books) {
        int sum = 0
        def first = books[0]
        String label = 'due' // @label
        books.each { book ->
            sum += book * days // @each
            label = label + book
        }
        def more = { int extra ->
            def inner = { extra + sum + first } // @inner
            inner() // @call
        }
        more(5) // @more
    }

    static void main(String[] args) {
        def library = new Library()
        println library.lend([3, 4]) // @lend
        println library.days // @days
    }
}
