package dev.connectorevents.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Random;

/**
 * Payloads of any size and of our own making, that compress as real ones do: 2 KB to two fifths, 8
 * KB to a sixth, 32 KB to a ninth. Always the same ones.
 */
public final class OrderPayload {

  private static final int SEED = 20_261_120;

  private OrderPayload() {}

  /** An order of exactly that size in UTF-8, with as many line items as fit; at least 1,000. */
  public static String ofSize(int bytes) {
    OrderJson json = new OrderJson(new Random(SEED));
    StringBuilder order = new StringBuilder(bytes).append(json.head());
    String end = json.end();
    int room = bytes - size(order) - size(json.note(0)) - size(end);
    if (room < 0) {
      throw new IllegalArgumentException("no order is that small: " + bytes);
    }
    String separator = "";
    for (String line = json.lineItem(); size(line) < room; line = json.lineItem()) {
      order.append(separator).append(line);
      room -= size(separator) + size(line);
      separator = ",";
    }
    return order.append(json.note(room)).append(end).toString();
  }

  private static int size(CharSequence text) {
    return text.toString().getBytes(UTF_8).length;
  }
}
