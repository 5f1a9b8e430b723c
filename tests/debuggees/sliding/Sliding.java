// SPDX-License-Identifier: Apache-2.0
// Several classes in one file, which are loaded one after the other.

public class Sliding {
    static int work(Item item) {
        char letter = 'q';
        Character boxed = 'z';
        StringBuilder builder = new StringBuilder("so far");
        return item.stock + letter + builder.length(); // @work
    }

    public static void main(String[] args) {
        work(new Item(1));
        Runnable task = new Runnable() { // @anonymous
            @Override
            public void run() {
                System.out.println("ran"); // @in-anonymous
            }
        };
        task.run();
        Middle.middle(); // @call
        work(new Dated(3));
        new Last().last();
    }
}

class Item {
    final int stock;

    Item(int stock) {
        this.stock = stock;
    }
}
// @before-empty
interface Empty {
    void nothing();
}
// @before-middle
class Middle {
    private Middle() {
    }

    static void middle() {
        System.out.println("middle"); // @in-middle
    }
}

class Dated extends Item {
    final int day;

    Dated(int day) {
        super(5);
        this.day = day;
    }
}
// @before-last
class Last { // @last
    void last() {
        System.out.println("last");
    }
}
