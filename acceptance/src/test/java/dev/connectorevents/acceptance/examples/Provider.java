package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.local.ServedLocally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A provider of webhooks that signs them by its form in {@code examples/providers.json}. */
enum Provider {
  GITHUB("GitHub"),
  SHOPIFY("Shopify"),
  STRIPE("Stripe");

  static final String SECRET = "hush";
  static final String SHOP = "example.myshopify.com";

  /** A place of a form that is a header. */
  private static final Pattern HEADER = Pattern.compile("\\{\\{([\\w-]+)}}");

  private static final JsonNode FORMS = forms();

  private final String form;

  Provider(String form) {
    this.form = form;
  }

  private static JsonNode forms() {
    try {
      return ServedLocally.read(Files.readString(Path.of("../examples/providers.json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The headers of a webhook, with a valid signature and without a content type. */
  Map<String, String> headers(String topic, String id, String body) {
    JsonNode its = FORMS.get(form);
    Map<String, String> headers = new HashMap<>();
    Map.of("topic", topic, "key", id, "brand", SHOP)
        .forEach((what, value) -> {
          Matcher header = HEADER.matcher(its.get(what).get(0).textValue());
          if (header.matches()) {
            headers.put(header.group(1), value);
          }
        });
    String seconds = Long.toString(Instant.now().getEpochSecond());
    Map<String, String> values = new HashMap<>(Map.of("body", body, "seconds", seconds));
    byte[] mac = hmac("HmacSHA256", filled(its.path("signed").asText("{{body}}"), values));
    values.put("hex", HexFormat.of().formatHex(mac));
    values.put("base64", Base64.getEncoder().encodeToString(mac));
    its.get("signature")
        .properties()
        .forEach(each -> headers.put(each.getKey(), filled(each.getValue().textValue(), values)));
    return headers;
  }

  private static String filled(String template, Map<String, String> values) {
    return HEADER
        .matcher(template)
        .replaceAll(
            place -> Matcher.quoteReplacement(values.getOrDefault(place.group(1), place.group())));
  }

  /** The provider's name in {@code event_type} and in {@code _meta.source}. */
  String source() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Signs with {@link #SECRET}. */
  static byte[] hmac(String algorithm, String text) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), algorithm));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
