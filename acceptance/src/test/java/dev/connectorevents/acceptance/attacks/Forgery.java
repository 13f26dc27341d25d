package dev.connectorevents.acceptance.attacks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/** Makes tokens by hand, because libraries refuse to make invalid ones. */
public final class Forgery {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final byte[] key;
  private final ObjectNode header;
  private final ObjectNode claims;

  private Forgery(byte[] key, ObjectNode header, ObjectNode claims) {
    this.key = key;
    this.header = header;
    this.claims = claims;
  }

  /**
   * Returns a forgery that has a valid token and the key that signed it. No attacker can have more.
   */
  public static Forgery withLeakedKey(World service) {
    return withLeakedKey(service, service.client().token());
  }

  /** As the other, with this valid token. */
  static Forgery withLeakedKey(World service, String token) {
    String[] parts = token.split("\\.", -1);
    try (SecretsManagerClient secrets = service.settings().secretsManagerClient()) {
      String key =
          secrets
              .getSecretValue(get -> get.secretId(service.name("SigningKeySecret")))
              .secretString();
      ObjectNode claims = decoded(parts[1]);
      claims.put("exp", Instant.now().plusSeconds(600).getEpochSecond());
      return new Forgery(key.getBytes(UTF_8), decoded(parts[0]), claims);
    }
  }

  private static ObjectNode decoded(String part) {
    try {
      return (ObjectNode) JSON.readTree(Base64.getUrlDecoder().decode(part));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a signed token with this member in its header; without the member if {@code json} is
   * empty.
   */
  public String withHeader(String name, String json) {
    return signed(changed(header, name, json), claims.toString(), "HmacSHA256", key);
  }

  /** Returns a signed token with this claim; without the claim if {@code json} is empty. */
  String withClaim(String name, String json) {
    return signed(header.toString(), changed(claims, name, json), "HmacSHA256", key);
  }

  /** A signed token with exactly these texts as header and claims. */
  String withTexts(String headerJson, String claimsJson) {
    return signed(headerJson, claimsJson, "HmacSHA256", key);
  }

  /** A token with this member in its header, signed with the forger's own key. */
  String withHeaderAndOwnKey(String name, String json) {
    return signed(changed(header, name, json), claims.toString(), "HmacSHA256", new byte[32]);
  }

  /** A token with this {@code alg} in its header, signed with {@code mac}. */
  String withMac(String algorithm, String mac) {
    return signed(changed(header, "alg", algorithm), claims.toString(), mac, key);
  }

  /**
   * A token with this {@code alg} in its header. {@code signature} is appended unchanged, and must
   * bring its own dot.
   */
  String withSignature(String algorithm, String signature) {
    return base64(changed(header, "alg", algorithm)) + "." + base64(claims.toString()) + signature;
  }

  public String good() {
    return signed(header.toString(), claims.toString(), "HmacSHA256", key);
  }

  String headerText() {
    return header.toString();
  }

  String claimsText() {
    return claims.toString();
  }

  static String base64(String text) {
    return base64(text.getBytes(UTF_8));
  }

  static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String changed(ObjectNode object, String name, String json) {
    try {
      ObjectNode copy = object.deepCopy();
      copy.remove(name);
      if (!json.isEmpty()) {
        copy.set(name, JSON.readTree(json));
      }
      return copy.toString();
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private static String signed(String header, String claims, String mac, byte[] key) {
    try {
      String content = base64(header) + "." + base64(claims);
      Mac hmac = Mac.getInstance(mac);
      hmac.init(new SecretKeySpec(key, mac));
      return content + "." + base64(hmac.doFinal(content.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
