package dev.connectorevents.event;

import java.util.HexFormat;
import java.util.Random;

/** Generates payloads of about a given size in bytes. Every run generates the same payloads. */
public final class Payloads {

  private static final String[] NAMES = {
    "admin_graphql_api_id",
    "app_id",
    "browser_ip",
    "buyer_accepts_marketing",
    "cancel_reason",
    "cart_token",
    "checkout_id",
    "checkout_token",
    "closed_at",
    "confirmation_number",
    "contact_email",
    "created_at",
    "currency",
    "current_subtotal_price",
    "current_total_tax",
    "customer_locale",
    "device_id",
    "discount_codes",
    "estimated_taxes",
    "financial_status",
    "landing_site",
    "location_id",
    "merchant_business_entity_id",
    "name",
    "note_attributes",
    "order_number",
    "order_status_url",
    "payment_gateway_names",
    "phone",
    "presentment_currency",
    "processed_at",
    "reference",
    "referring_site",
    "source_identifier",
    "tags",
    "total_weight"
  };

  private Payloads() {}

  private static final String META =
      """
      ,"_meta":{"source":"shopify","topic":"orders/create",\
      "request_id":"8f4f8c2e-6f0b-4a53-9d0e-2b7c1d5e9a36","shop":"a-shop.example.com",\
      "received_at":"2026-11-20T12:00:00.123Z"}}\
      """;

  /**
   * An order as a shop's connector sends it: many different fields, then similar line items, and
   * {@code _meta} at the end. At 2 KB it compresses like a real order. Most real payloads compress
   * better.
   */
  public static String webhook(int bytes) {
    int order = bytes - META.length();
    Random random = new Random(bytes);
    StringBuilder json = new StringBuilder("{\"id\":" + random.nextLong(1L << 53));
    for (int i = 0; i < NAMES.length && json.length() < order - 100; i++) {
      json.append(",\"").append(NAMES[i]).append("\":").append(value(random, i));
    }
    json.append(",\"line_items\":[");
    String separator = "";
    while (json.length() < order - 300) {
      json.append(separator).append(lineItem(random));
      separator = ",";
    }
    json.append("],\"note\":\"");
    json.append("x".repeat(Math.max(0, order - json.length() - 1))).append('"');
    return json.append(META).toString();
  }

  /** A payload of random hex digits. Gzip shrinks it to a little more than half. */
  public static String random(int bytes) {
    byte[] noise = new byte[(bytes - 8) / 2];
    new Random(bytes).nextBytes(noise);
    return "{\"hex\":\"" + HexFormat.of().formatHex(noise) + "\"}";
  }

  /**
   * A payload of random printable ASCII characters. Gzip shrinks it to about four fifths. No JSON
   * compresses less.
   */
  public static String incompressible(int bytes) {
    Random random = new Random(bytes);
    StringBuilder json = new StringBuilder("{\"text\":\"");
    while (json.length() < bytes - 2) {
      char character = (char) (' ' + random.nextInt(95));
      json.append(character == '"' || character == '\\' ? '.' : character);
    }
    return json.append("\"}").toString();
  }

  private static String value(Random random, int kind) {
    return switch (kind % 12) {
      case 2 -> "\"" + HexFormat.of().toHexDigits(random.nextInt()) + "\"";
      case 3, 8 -> "\"%d.00\"".formatted(random.nextInt(500));
      case 4, 9 -> Boolean.toString(random.nextBoolean());
      case 6 -> "\"2026-11-%02dT11:59:59+01:00\"".formatted(random.nextInt(10, 20));
      case 7 -> Integer.toString(random.nextInt(1_000_000_000));
      default -> "null";
    };
  }

  private static String lineItem(Random random) {
    return """
    {"id":%d,"variant_id":%d,"title":"Product %d","quantity":%d,"sku":"SKU-%d-PINK",\
    "vendor":null,"fulfillment_service":"manual","requires_shipping":true,"taxable":true,\
    "gift_card":false,"price":"%d.00","total_discount":"0.00","fulfillment_status":null}\
    """
        .formatted(
            random.nextInt(1_000_000_000),
            random.nextInt(1_000_000_000),
            random.nextInt(100),
            random.nextInt(1, 9),
            random.nextInt(10_000),
            random.nextInt(500));
  }
}
