// SPDX-License-Identifier: Apache-2.0

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A service that takes orders as business code does: it reads a text, looks products up, computes
 * with amounts of money, applies rules, sorts, and writes a text.
 */
public class Orders {
  static final class Product {
    private final int number;
    private final String name;
    private final BigDecimal price;
    private final boolean isFood;
    private int stock;

    Product(int number, String name, BigDecimal price, boolean isFood, int stock) {
      this.number = number;
      this.name = name;
      this.price = price;
      this.isFood = isFood;
      this.stock = stock;
    }

    String getName() {
      return name;
    }

    BigDecimal getPrice() {
      return price;
    }

    boolean isFood() {
      return isFood;
    }

    void take(int count) {
      if (count > stock) {
        stock += 1000;
      }
      stock -= count;
    }
  }

  static final class Line {
    private final Product product;
    private final int count;
    private BigDecimal amount;

    Line(Product product, int count) {
      this.product = product;
      this.count = count;
    }

    Product getProduct() {
      return product;
    }

    int getCount() {
      return count;
    }

    BigDecimal getAmount() {
      return amount;
    }

    void setAmount(BigDecimal amount) {
      this.amount = amount;
    }
  }

  interface Rule {
    BigDecimal apply(Line line, BigDecimal amount);
  }

  static final class Quantity implements Rule {
    private static final BigDecimal REDUCED = new BigDecimal("0.95");

    @Override
    public BigDecimal apply(Line line, BigDecimal amount) {
      if (line.getCount() >= 5) {
        return amount.multiply(REDUCED);
      }
      return amount;
    }
  }

  static final class Tax implements Rule {
    private static final BigDecimal FULL = new BigDecimal("1.19");
    private static final BigDecimal REDUCED = new BigDecimal("1.07");

    @Override
    public BigDecimal apply(Line line, BigDecimal amount) {
      BigDecimal rate = line.getProduct().isFood() ? REDUCED : FULL;
      return amount.multiply(rate);
    }
  }

  private final Map<Integer, Product> products = new HashMap<>();
  private final Map<String, Integer> sold = new TreeMap<>();
  private final List<Rule> rules = List.of(new Quantity(), new Tax());

  Orders() {
    for (int number = 0; number < 50; number++) {
      BigDecimal price = BigDecimal.valueOf(100 + number * 37, 2);
      products.put(number, new Product(number, "product " + number, price, number % 3 == 0, 1000));
    }
  }

  List<Line> read(String body) {
    List<Line> lines = new ArrayList<>();
    for (String part : body.split(",")) {
      int colon = part.indexOf(':');
      Product product = products.get(Integer.parseInt(part.substring(0, colon)));
      if (product == null) {
        throw new IllegalArgumentException("no product " + part);
      }
      lines.add(new Line(product, Integer.parseInt(part.substring(colon + 1))));
    }
    return lines;
  }

  BigDecimal price(Line line) {
    BigDecimal amount = line.getProduct().getPrice().multiply(BigDecimal.valueOf(line.getCount()));
    for (Rule rule : rules) {
      amount = rule.apply(line, amount);
    }
    return amount.setScale(2, RoundingMode.HALF_UP);
  }

  String receipt(List<Line> lines, BigDecimal total) {
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      text.append(line.getCount()).append(" x ").append(line.getProduct().getName());
      text.append(" = ").append(line.getAmount()).append('\n');
    }
    return text.append("total ").append(total).toString();
  }

  /** Takes an order like "3:2,8:1", products and counts, and returns the receipt. */
  String order(String body) {
    List<Line> lines = read(body);
    BigDecimal total = BigDecimal.ZERO;
    for (Line line : lines) {
      line.setAmount(price(line));
      total = total.add(line.getAmount());
      line.getProduct().take(line.getCount());
      sold.merge(line.getProduct().getName(), line.getCount(), Integer::sum);
    }
    lines.sort(Comparator.comparing(Line::getAmount));
    return receipt(lines, total);
  }
}
