// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Variables of many types, to be used like values of Python. */
public final class Pythonic {
    static final class Animal {
        final String name;
        final int legs;
        Animal next;

        Animal(String name, int legs) {
            this.name = name;
            this.legs = legs;
        }

        int countLegs(int times) {
            int product = legs * times;
            return product; // @method
        }
    }

    enum Size {
        SMALL,
        LARGE
    }

    public static void main(String[] args) {
        int n = 7;
        long big = 1L << 40;
        double half = 0.5;
        boolean yes = true;
        boolean no = false;
        char letter = 'x';
        String text = "so \"it\" is";
        String empty = "";
        Integer boxed = 12345;
        Boolean refused = Boolean.FALSE;
        Object nothing = null;
        int[] numbers = {3, 1, 2};
        Animal animal = new Animal("horse", 4);
        animal.next = new Animal("bee", 6);
        Animal same = animal;
        List<String> words = new ArrayList<>(List.of("a", "b", "c"));
        Map<String, Integer> prices = new LinkedHashMap<>();
        prices.put("cup", 3);
        prices.put("mug", 5);
        Map<Integer, String> byNumber = new LinkedHashMap<>(Map.of(1000, "thousand"));
        Map<Size, String> bySize = new LinkedHashMap<>(Map.of(Size.LARGE, "big"));
        List<String> none = new ArrayList<>();
        System.out.println(animal.countLegs(2) + words.size()); // @main
    }
}
