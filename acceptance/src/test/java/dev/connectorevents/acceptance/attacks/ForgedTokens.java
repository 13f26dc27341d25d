package dev.connectorevents.acceptance.attacks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DeflaterOutputStream;

/** Forged tokens, one or more for each attack that RFC 8725 lists. */
final class ForgedTokens {

  private static final List<String> NONE = List.of("none", "None", "NONE", "nOnE", "NonE", "");

  private final Forgery forgery;
  private final List<String> tokens = new ArrayList<>();

  private ForgedTokens(Forgery forgery) {
    this.forgery = forgery;
  }

  /**
   * Returns all forged tokens.
   *
   * @param trap a URL that tokens name as the source of their key; no function may connect to it
   */
  static List<String> all(Forgery forgery, String trap) {
    ForgedTokens forged = new ForgedTokens(forgery);
    forged.algorithms();
    forged.signatures();
    forged.keyIds();
    forged.foreignKeys(trap);
    forged.criticalAndCompressed();
    forged.encrypted();
    forged.claims();
    forged.structures();
    return forged.tokens;
  }

  private void algorithms() {
    String signature = forgery.good().substring(forgery.good().lastIndexOf('.'));
    for (String none : NONE) {
      for (String end : List.of("", ".", signature)) {
        tokens.add(forgery.withSignature("\"" + none + "\"", end));
      }
    }
    for (String other :
        List.of("hs256", "HS256 ", "HS1", "RS256", "ES256", "PS256", "EdDSA", "HS384", "HS512")) {
      tokens.add(forgery.withMac("\"" + other + "\"", "HmacSHA256"));
    }
    tokens.add(forgery.withMac("\"HS384\"", "HmacSHA384"));
    tokens.add(forgery.withMac("\"HS512\"", "HmacSHA512"));
    for (String type : List.of("null", "1", "true", "[\"HS256\"]", "{}", "")) {
      tokens.add(forgery.withMac(type, "HmacSHA256"));
    }
  }

  private void signatures() {
    String good = forgery.good();
    int start = good.lastIndexOf('.') + 1;
    tokens.add(good.substring(0, start));
    tokens.add(good.substring(0, start - 1));
    for (int end = start + 1; end < good.length(); end += 4) {
      tokens.add(good.substring(0, end));
    }
    for (int at = 0; at < good.length() - 1; at += 9) {
      char other = good.charAt(at) == 'A' ? 'B' : 'A';
      tokens.add(good.substring(0, at) + other + good.substring(at + 1));
    }
    tokens.add(good.substring(0, start) + Forgery.base64(new byte[32]));
    tokens.add(good + "A");
    tokens.add(good + good.substring(start));
  }

  private void keyIds() {
    for (String kid :
        List.of(
            "",
            "null",
            "\"\"",
            "1",
            "[]",
            "{}",
            "\"../../dev/null\"",
            "\"/etc/passwd\"",
            "\"' OR 1=1 --\"",
            "\"AWSCURRENT\"",
            "\"AWSPREVIOUS\"",
            "\"*\"",
            "\"\\u0000\"",
            "\"00000000-0000-4000-8000-000000000000\"",
            "\"" + "k".repeat(100_000) + "\"")) {
      tokens.add(forgery.withHeader("kid", kid));
    }
    for (int i = 0; i < 50; i++) {
      tokens.add(forgery.withHeader("kid", "\"unknown-" + i + "\""));
    }
    String twice = forgery.headerText().replaceFirst("\\{", "{\"kid\":\"x\",");
    tokens.add(forgery.withTexts(twice, forgery.claimsText()));
  }

  private void foreignKeys(String trap) {
    String jwk = "{\"kty\":\"oct\",\"k\":\"" + Forgery.base64(new byte[32]) + "\"}";
    tokens.add(forgery.withHeaderAndOwnKey("jwk", jwk));
    tokens.add(forgery.withHeaderAndOwnKey("jku", "\"" + trap + "/jwks.json\""));
    tokens.add(forgery.withHeaderAndOwnKey("x5u", "\"" + trap + "/cert.pem\""));
    tokens.add(forgery.withHeaderAndOwnKey("x5c", "[\"AAAA\"]"));
    tokens.add(forgery.withHeaderAndOwnKey("kid", "\"" + trap + "\""));
  }

  private void criticalAndCompressed() {
    for (String crit : List.of("[\"exp\"]", "[\"b64\"]", "[\"x\"]", "\"x\"", "1", "[1]")) {
      tokens.add(forgery.withHeader("crit", crit));
    }
    for (String zip : List.of("\"DEF\"", "\"GZIP\"", "\"x\"", "1")) {
      tokens.add(forgery.withHeader("zip", zip));
    }
    String bomb =
        Forgery.base64(forgery.headerText().replaceFirst("\\{", "{\"zip\":\"DEF\","))
            + "."
            + Forgery.base64(deflated(" ".repeat(50_000_000) + forgery.claimsText()));
    tokens.add(bomb + ".AAAA");
  }

  private void encrypted() {
    for (String algorithm :
        List.of(
            "dir",
            "A128KW",
            "A256KW",
            "A256GCMKW",
            "RSA1_5",
            "RSA-OAEP",
            "RSA-OAEP-256",
            "ECDH-ES",
            "ECDH-ES+A256KW",
            "PBES2-HS256+A128KW",
            "PBES2-HS512+A256KW")) {
      String header =
          forgery
              .headerText()
              .replace("HS256", algorithm)
              .replaceFirst("\\{", "{\"enc\":\"A256GCM\",\"p2c\":2147483647,\"p2s\":\"AAAA\",");
      tokens.add(Forgery.base64(header) + ".AAAA.AAAA.AAAA.AAAA");
    }
  }

  private void claims() {
    for (String claim : List.of("iss", "sub", "email", "iat", "exp", "jti", "auth_time")) {
      for (String json : List.of("", "null", "[]", "{}", "true")) {
        tokens.add(forgery.withClaim(claim, json));
      }
    }
    for (String time : List.of("exp", "iat", "auth_time")) {
      tokens.add(forgery.withClaim(time, "\"tomorrow\""));
    }
    for (String exp : List.of("0", "-1", "1000000000", "1e9", "1.5")) {
      tokens.add(forgery.withClaim("exp", exp));
    }
    tokens.add(forgery.withClaim("nbf", "99999999999"));
    tokens.add(forgery.withClaim("iat", "99999999999"));
    tokens.add(forgery.withClaim("auth_time", "9223372036854775807"));
    tokens.add(forgery.withClaim("iss", "\"somebody-else\""));
    tokens.add(forgery.withClaim("iss", "[\"emulator\"]"));
    tokens.add(forgery.withClaim("sub", "\"1\""));
    tokens.add(forgery.withClaim("sub", "\"00000000-0000-4000-8000-000000000000\""));
    tokens.add(forgery.withClaim("email", "\"nobody@example.com\""));
    tokens.add(forgery.withClaim("email", "\"Connector@Example.com\""));
    tokens.add(forgery.withClaim("email", "\"connector@example.com\\n\""));
    tokens.add(forgery.withClaim("token_use", "\"static\""));
    tokens.add(forgery.withClaim("token_use", "\"refresh\""));
    String claims = forgery.claimsText();
    for (String twice : List.of("\"exp\":99999999999", "\"sub\":\"x\"", "\"iss\":\"x\"")) {
      tokens.add(
          forgery.withTexts(forgery.headerText(), claims.replaceFirst("\\{", "{" + twice + ",")));
    }
  }

  private void structures() {
    String good = forgery.good();
    String[] parts = good.split("\\.", -1);
    tokens.addAll(
        List.of(
            parts[0],
            parts[0] + "." + parts[1],
            good + ".",
            "." + good,
            good + "." + good,
            good.replace(".", ".."),
            good.replace('.', ' '),
            good.replace(".", " . "),
            good + "\0",
            good + "…",
            good.replace(".", "\u2024"),
            good + ", Bearer " + good,
            parts[0] + "=." + parts[1] + "=." + parts[2] + "==",
            "{\"payload\":\"" + parts[1] + "\",\"signature\":\"" + parts[2] + "\"}",
            "..",
            "....",
            "e30.e30.",
            "e30." + parts[1] + "." + parts[2],
            "bnVsbA.bnVsbA.",
            "W10.W10.AAAA",
            "A".repeat(100_000),
            "A.".repeat(50_000)));
    tokens.add(forgery.withTexts("[]", forgery.claimsText()));
    tokens.add(forgery.withTexts(forgery.headerText(), "[]"));
    tokens.add(forgery.withTexts(forgery.headerText(), good));
  }

  private static byte[] deflated(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(bytes)) {
      deflater.write(text.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
