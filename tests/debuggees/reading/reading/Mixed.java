// SPDX-License-Identifier: Apache-2.0
package reading;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Methods that only compute, with all kinds of instructions. */
final class Mixed {
    private static final int[] INTS = {0, 1, -1, 7, -13, 65_536, Integer.MAX_VALUE, Integer.MIN_VALUE};
    private static final long[] LONGS = {0, 1, -1, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, -77};
    private static final double[] DOUBLES = {
        0.0, -0.0, 1.5, -2.75, 1e300, -1e-300, Double.NaN, 1 / 0.0, -1 / 0.0, 4e18
    };

    private Mixed() {}

    static String ints() {
        StringBuilder found = new StringBuilder();
        for (int a : INTS) {
            for (int b : INTS) {
                found.append(a + b).append(' ').append(a - b).append(' ').append(a * b).append(' ');
                found.append(a & b).append(a | b).append(a ^ b).append(' ').append(a << b);
                found.append(a >> b).append(' ').append(a >>> b).append(' ').append(-a).append(~b);
                try {
                    found.append(a / b).append(' ').append(a % b);
                } catch (ArithmeticException e) {
                    found.append(e.getMessage());
                }
                found.append(a < b ? '<' : a > b ? '>' : '=').append((byte) a).append((short) b);
                found.append((int) (char) a).append(' ').append(bits((float) a)).append(bits((double) b));
            }
        }
        return found.toString();
    }

    static String longs() {
        StringBuilder found = new StringBuilder();
        for (long a : LONGS) {
            for (long b : LONGS) {
                found.append(a + b).append(' ').append(a - b).append(' ').append(a * b).append(' ');
                found.append(a & b).append(a | b).append(a ^ b).append(' ').append(a << b);
                found.append(a >> b).append(' ').append(a >>> b).append(' ').append((int) a);
                found.append(b == 0 ? 0 : a / b).append(b == 0 ? 0 : a % b).append(a < b);
                long[] both = {a, b};
                both[0] += both[1]++;
                found.append(both[0]).append(both[1]).append(bits((float) a)).append(bits((double) b));
            }
        }
        return found.toString();
    }

    static String doubles() {
        StringBuilder found = new StringBuilder();
        for (double a : DOUBLES) {
            for (double b : DOUBLES) {
                float c = (float) a;
                found.append(bits(a + b)).append(bits(a * b)).append(bits(a / b)).append(bits(a % b));
                found.append(a < b).append(a >= b).append(a == b).append((int) a).append((long) b);
                found.append(bits(c + (float) b)).append(c < b).append(bits(-c)).append((int) c);
                found.append((long) c).append(bits(c % 2)).append(bits(c / (float) b));
            }
        }
        return found.toString();
    }

    /** Older JDKs write some numbers with a digit more than they need. */
    private static long bits(double number) {
        return Double.doubleToLongBits(number);
    }

    private static int bits(float number) {
        return Float.floatToIntBits(number);
    }

    static String named(String word) {
        switch (word) {
            case "one":
                return "1";
            case "two":
            case "three":
                return "2 or 3";
            default:
                return word.isEmpty() ? "none" : "other";
        }
    }

    static int sparse(int number) {
        switch (number) {
            case -5:
                return 1;
            case 1_000:
                return 2;
            case 7:
                return 3;
            default:
                return tight(number);
        }
    }

    private static int tight(int number) {
        switch (number) {
            case 1:
                return 10;
            case 2:
                return 20;
            case 3:
                return 30;
            default:
                return -1;
        }
    }

    static String caught(Object value) {
        StringBuilder found = new StringBuilder();
        for (int round = 0; round < 5; round++) {
            try {
                found.append(thrown(value, round));
            } catch (ClassCastException | NullPointerException e) {
                found.append(e.getClass().getName());
            } catch (RuntimeException e) {
                found.append(e.getMessage());
            } finally {
                found.append(';');
            }
        }
        return found.toString();
    }

    private static String thrown(Object value, int round) {
        switch (round) {
            case 0:
                return ((String) value).trim();
            case 1:
                throw new IllegalStateException("own " + value);
            case 2:
                return new int[2][3][1].length + "" + new int[round].clone()[round];
            case 3:
                Object[] none = null;
                return none.toString();
            default:
                return value instanceof Comparable ? "comparable" : "not";
        }
    }

    static String streamed(List<String> words) {
        return words.stream()
                .filter(each -> each.length() > 3)
                .map(String::toUpperCase)
                .sorted(Comparator.comparing(String::length).reversed())
                .collect(Collectors.joining("+"));
    }

    static int applied(List<String> words) {
        Function<String, Integer> length = String::length;
        Supplier<List<Integer>> maker = ArrayList::new;
        List<Integer> lengths = maker.get();
        words.forEach(each -> lengths.add(length.apply(each)));
        return lengths.stream().mapToInt(Integer::intValue).sum();
    }

    static int fibonacci(int number) {
        return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
    }

    static String grid() {
        long[][] grid = new long[3][4];
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 4; column++) {
                grid[row][column] = (long) row * column;
            }
        }
        StringBuilder found = new StringBuilder();
        for (long[] row : grid) {
            for (long each : row) {
                found.append(each).append(row.length);
            }
        }
        boolean[] flags = {true, false};
        byte[] bytes = {(byte) 200};
        char[] chars = {'x'};
        short[] shorts = {(short) 70_000};
        float[] floats = {1.1f};
        flags[1] ^= true;
        bytes[0]++;
        chars[0] += 1;
        shorts[0]--;
        floats[0] *= 3;
        return found.append(flags[1]).append(bytes[0]).append(chars[0]).append(shorts[0])
                .append(bits(floats[0])).toString();
    }
}
