package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A provider of webhooks. Each provider sends the topic, the id and the signature in its own way.
 */
enum Provider {
  GITHUB {
    @Override
    Map<String, String> headers(String topic, String id, String body) {
      return Map.of(
          "X-GitHub-Event",
          topic,
          "X-GitHub-Delivery",
          id,
          "X-Hub-Signature-256",
          "sha256=" + hexSignature(body));
    }
  },

  SHOPIFY {
    @Override
    Map<String, String> headers(String topic, String id, String body) {
      return Map.of(
          "X-Shopify-Topic",
          topic,
          "X-Shopify-Webhook-Id",
          id,
          "X-Shopify-Shop-Domain",
          SHOP,
          "X-Shopify-Hmac-Sha256",
          shopifySignature(body.getBytes(UTF_8)));
    }
  },

  /** Sends the topic and the id in the body of a webhook, not in headers. */
  STRIPE {
    @Override
    Map<String, String> headers(String topic, String id, String body) {
      return Map.of("Stripe-Signature", stripeSignature(Instant.now(), body));
    }
  };

  static final String SECRET = "hush";
  static final String SHOP = "example.myshopify.com";

  /** The headers of a webhook, with a valid signature and without a content type. */
  abstract Map<String, String> headers(String topic, String id, String body);

  /** The provider's name in {@code event_type} and in {@code _meta.source}. */
  String source() {
    return name().toLowerCase(Locale.ROOT);
  }

  static String stripeSignature(Instant time, String body) {
    String signature = hexSignature(time.getEpochSecond() + "." + body);
    return "t=" + time.getEpochSecond() + ",v1=" + signature;
  }

  static String shopifySignature(byte[] body) {
    return Base64.getEncoder().encodeToString(hmac(body));
  }

  static String hexSignature(String body) {
    return HexFormat.of().formatHex(hmac(body.getBytes(UTF_8)));
  }

  static String sha1Signature(String body) {
    return HexFormat.of().formatHex(hmac("HmacSHA1", body.getBytes(UTF_8)));
  }

  private static byte[] hmac(byte[] body) {
    return hmac("HmacSHA256", body);
  }

  /** Signs with {@link #SECRET}. */
  static byte[] hmac(String algorithm, byte[] body) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), algorithm));
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
