package dev.connectorevents.bench;

import java.util.Locale;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The pieces of an order's JSON, filled with what a shop's orders are full of. */
final class OrderJson {

  private static final String[] FIRST = {"Renée", "Jürgen", "Amina", "Tom", "Oksana", "Li", "Ana"};
  private static final String[] LAST = {"Müller", "Okafor", "Santos", "Lindqvist", "Baker", "Chen"};
  private static final String[] CITY = {"Köln", "Lyon", "Porto", "Leeds", "Ghent", "Austin"};
  private static final String[] THING = {"Lamp", "Chair", "Mug", "Blanket", "Clock", "Vase", "Rug"};
  private static final String[] KIND = {"Oak", "Linen", "Blue", "Small", "Classic", "Wool", "Set"};
  private static final String[] PHRASE = {
    "Please leave the parcel with our neighbour. ",
    "Please ring twice. ",
    "It is a gift for my sister: no invoice, please. ",
    "Not before six. "
  };

  private static final String MONEY =
      """
      {"shop_money":{"amount":"%1$s","currency_code":"EUR"},\
      "presentment_money":{"amount":"%1$s","currency_code":"EUR"}}\
      """;

  private final RandomGenerator random;

  OrderJson(RandomGenerator random) {
    this.random = random;
  }

  /** Up to where the line items begin. */
  String head() {
    String first = any(FIRST);
    String last = any(LAST);
    return """
    {"id":%1$d,"admin_graphql_api_id":"gid:\\/\\/shop\\/Order\\/%1$d","name":"#%2$d",\
    "created_at":"2026-11-20T12:%3$02d:07+01:00","currency":"EUR","total_price":"%4$s",\
    "financial_status":"paid","fulfillment_status":null,\
    "customer":{"id":%5$d,"first_name":"%6$s","last_name":"%7$s","email":"c%5$d@example.com",\
    "verified_email":true,"default_address":{"address1":"%8$d %7$s St","city":"%9$s",\
    "zip":"%10$d","phone":null,"company":null}},"line_items":[\
    """
        .formatted(
            id(13),
            id(4),
            random.nextInt(60),
            price(),
            id(13),
            first,
            last,
            id(2),
            any(CITY),
            id(5));
  }

  /** About a kilobyte, most of it the same in every line. */
  String lineItem() {
    String name = any(KIND) + " " + any(THING);
    String price = price();
    String tax = price();
    long id = id(14);
    return """
    {"id":%1$d,"admin_graphql_api_id":"gid:\\/\\/shop\\/LineItem\\/%1$d",\
    "current_quantity":%2$d,"fulfillable_quantity":%2$d,"fulfillment_status":null,\
    "grams":%3$d,"name":"%4$s","price":"%5$s","price_set":%6$s,\
    "pre_tax_price":"%5$s","pre_tax_price_set":%6$s,"product_id":%7$d,\
    "quantity":%2$d,"sku":"%8$s-%3$d","taxable":true,"title":"%4$s",\
    "total_discount":"0.00","total_discount_set":%9$s,"current_price_set":%6$s,"variant_id":%10$d,\
    "vendor":"Example","image":"https:\\/\\/cdn.example.com\\/%13$s.jpg",\
    "tax_lines":[{"price":"%11$s","price_set":%12$s,"rate":0.19,"title":"VAT"}]}\
    """
        .formatted(
            id,
            1 + random.nextInt(3),
            50 * (1 + random.nextInt(40)),
            name,
            price,
            MONEY.formatted(price),
            id(13),
            name.substring(0, 3).toUpperCase(Locale.ROOT),
            MONEY.formatted("0.00"),
            id(14),
            tax,
            MONEY.formatted(tax),
            hex());
  }

  /** What fills the rest: prose in ASCII. */
  String note(int characters) {
    StringBuilder words = new StringBuilder(characters + 16);
    while (words.length() < characters) {
      words.append(any(PHRASE));
    }
    return "],\"note\":\"" + words.substring(0, characters);
  }

  /** What comes after the note, and what {@link #note} puts around it. */
  String end() {
    return """
    ","_meta":{"source":"shopify","topic":"orders/create","request_id":"%s",\
    "shop":"shop-%d.example.com","received_at":"2026-11-20T11:59:59Z","brand_id":"brand-%d"}}\
    """
        .formatted(new UUID(random.nextLong(), random.nextLong()), id(3), id(2));
  }

  private String any(String[] values) {
    return values[random.nextInt(values.length)];
  }

  private String price() {
    return random.nextInt(5, 200) + (random.nextBoolean() ? ".00" : ".95");
  }

  private String hex() {
    return "%08x".formatted(random.nextInt());
  }

  private long id(int digits) {
    long least = (long) Math.pow(10, digits - 1.0);
    return random.nextLong(least, 10 * least);
  }
}
