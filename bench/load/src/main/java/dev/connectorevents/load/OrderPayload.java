package dev.connectorevents.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Scanner;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Generates orders of a given size, to send as payloads. Gzip shrinks them as it shrinks real
 * payloads: 2 KB to two fifths, 8 KB to a sixth, 32 KB to a ninth. Every run generates the same
 * orders.
 *
 * <p>The template is {@code order.json}. Its three parts are the beginning, a line item and the
 * end. They contain placeholders: {@code <4>} becomes a number of four digits, and {@code
 * <Lyon|Porto>} becomes one of these words. {@code <city=Lyon|Porto>} also keeps the word, and
 * {@code <$city>} repeats it.
 */
public final class OrderPayload {

  private static final int SEED = 20_261_120;
  private static final List<String> PARTS = parts();
  private static final Pattern GAP = Pattern.compile("<(?:(\\w+)=)?([^>]+)>");
  private static final String PHRASE =
      "<Please leave the parcel with our neighbour. |Please ring twice. "
          + "|It is a gift for my sister: no invoice, please. |Not before six. >";

  private final Random random = new Random(SEED);
  private final Map<String, String> kept = new HashMap<>();

  private OrderPayload() {}

  private static List<String> parts() {
    InputStream file = requireNonNull(OrderPayload.class.getResourceAsStream("order.json"));
    try (Scanner parts = new Scanner(file, UTF_8).useDelimiter("\n\n")) {
      return parts.tokens().map(part -> part.replace("\n", "")).toList();
    }
  }

  /**
   * Generates an order with as many line items as fit. A note fills the rest.
   *
   * @param bytes the order's exact size in UTF-8, at least 1,000
   */
  public static String ofSize(int bytes) {
    return new OrderPayload().order(bytes);
  }

  private String order(int bytes) {
    StringBuilder order = new StringBuilder(bytes).append(filled(PARTS.get(0)));
    String note = "],\"note\":\"";
    String end = filled(PARTS.get(2));
    int head = order.toString().getBytes(UTF_8).length;
    int room = bytes - head - note.length() - end.length(); // the rest is ASCII
    if (room < 0) {
      throw new IllegalArgumentException("no order is that small: " + bytes);
    }
    String separator = "";
    for (String line = filled(PARTS.get(1)); line.length() < room; line = filled(PARTS.get(1))) {
      order.append(separator).append(line);
      room -= separator.length() + line.length();
      separator = ",";
    }
    StringBuilder phrases = new StringBuilder();
    while (phrases.length() < room) {
      phrases.append(filled(PHRASE));
    }
    return order.append(note).append(phrases, 0, room).append(end).toString();
  }

  private String filled(String gaps) {
    return GAP.matcher(gaps).replaceAll(this::value);
  }

  private String value(MatchResult gap) {
    String kind = gap.group(2);
    String value = kind.startsWith("$") ? kept.getOrDefault(kind.substring(1), "") : any(kind);
    if (gap.group(1) != null) {
      kept.put(gap.group(1), value);
    }
    return value;
  }

  private String any(String kind) {
    if (kind.matches("\\d+")) {
      long least = (long) Math.pow(10, Integer.parseInt(kind) - 1.0);
      return Long.toString(random.nextLong(least, 10 * least));
    }
    String[] choices = kind.split("\\|", -1);
    return choices[random.nextInt(choices.length)];
  }
}
