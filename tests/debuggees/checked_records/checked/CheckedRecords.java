// SPDX-License-Identifier: Apache-2.0
package checked;

/** Records as well. */
public final class CheckedRecords extends Checked {
    public CheckedRecords() {
        add("coin", CheckedRecords::coin);
        add("point", CheckedRecords::point);
    }

    private static int coin(int n) {
        Coin coin = new Coin(n, ~n, "coin");
        boolean isRight = coin.serial() == ~n && coin.name().equals("coin") && coin.equals(new Coin(n, ~n, "coin"));
        return isRight && coin.hashCode() == new Coin(n, ~n, "coin").hashCode() ? coin.cents() : -1;
    }

    private static int point(int n) {
        Point.Flat flat = new Point.Flat(n, 3);
        Point.Deep deep = new Point.Deep(4, flat);
        String text = switch (flat.y()) {
            case 3 -> deep.toString();
            default -> "";
        };
        boolean isRight = text.equals("Deep[x=4, inner=Flat[x=" + n + ", y=3]]");
        return isRight && Point.x(deep) == n + 4 ? Point.x(flat) : -1;
    }
}
