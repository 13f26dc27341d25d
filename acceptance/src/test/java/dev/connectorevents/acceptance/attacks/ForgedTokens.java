package dev.connectorevents.acceptance.attacks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DeflaterOutputStream;

/**
 * Forged tokens for attacks on JWTs, such as those in RFC 8725. Many are signed with the real key.
 */
final class ForgedTokens {

  private static final List<String> NONE = List.of("none", "None", "NONE", "nOnE", "NonE", "");

  private final Forgery forgery;
  private final List<ForgedToken> tokens = new ArrayList<>();

  /** A token that the service must refuse, and what is wrong with it. */
  record ForgedToken(String attack, String token) {

    @Override
    public String toString() {
      return attack;
    }
  }

  private ForgedTokens(Forgery forgery) {
    this.forgery = forgery;
  }

  /** All forged tokens. Some name the trap, a URL, as the source of their key. */
  static List<ForgedToken> all(Forgery forgery, String trap) {
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

  private void add(String attack, String token) {
    tokens.add(new ForgedToken(attack, token));
  }

  private void algorithms() {
    String signature = forgery.good().substring(forgery.good().lastIndexOf('.'));
    for (String none : NONE) {
      for (String end : List.of("", ".", signature)) {
        add(
            "alg " + none + ", signature '" + end + "'",
            forgery.withSignature("\"" + none + "\"", end));
      }
    }
    for (String other :
        List.of("hs256", "HS256 ", "HS1", "RS256", "ES256", "PS256", "EdDSA", "HS384", "HS512")) {
      add("alg " + other, forgery.withMac("\"" + other + "\"", "HmacSHA256"));
    }
    add("HS384 with its own MAC", forgery.withMac("\"HS384\"", "HmacSHA384"));
    add("HS512 with its own MAC", forgery.withMac("\"HS512\"", "HmacSHA512"));
    for (String type : List.of("null", "1", "true", "[\"HS256\"]", "{}", "")) {
      add("alg of another type: " + type, forgery.withMac(type, "HmacSHA256"));
    }
  }

  private void signatures() {
    String good = forgery.good();
    int start = good.lastIndexOf('.') + 1;
    add("an empty signature", good.substring(0, start));
    add("no signature", good.substring(0, start - 1));
    for (int end = start + 1; end < good.length(); end += 4) {
      add("a signature cut at " + end, good.substring(0, end));
    }
    for (int at = 0; at < good.length() - 1; at += 9) {
      char other = good.charAt(at) == 'A' ? 'B' : 'A';
      add("another character at " + at, good.substring(0, at) + other + good.substring(at + 1));
    }
    add("a signature of zeros", good.substring(0, start) + Forgery.base64(new byte[32]));
    add("a longer signature", good + "A");
    add("the signature twice", good + good.substring(start));
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
      add("kid " + kid.substring(0, Math.min(kid.length(), 50)), forgery.withHeader("kid", kid));
    }
    add("an unknown kid", forgery.withHeader("kid", "\"unknown\""));
    String twice = forgery.headerText().replaceFirst("\\{", "{\"kid\":\"x\",");
    add("kid twice", forgery.withTexts(twice, forgery.claimsText()));
  }

  private void foreignKeys(String trap) {
    String jwk = "{\"kty\":\"oct\",\"k\":\"" + Forgery.base64(new byte[32]) + "\"}";
    add("the own key by jwk", forgery.withHeaderAndOwnKey("jwk", jwk));
    add("the own key by jku", forgery.withHeaderAndOwnKey("jku", "\"" + trap + "/jwks.json\""));
    add("the own key by x5u", forgery.withHeaderAndOwnKey("x5u", "\"" + trap + "/cert.pem\""));
    add("the own key by x5c", forgery.withHeaderAndOwnKey("x5c", "[\"AAAA\"]"));
    add("the own key by kid", forgery.withHeaderAndOwnKey("kid", "\"" + trap + "\""));
  }

  private void criticalAndCompressed() {
    for (String crit : List.of("[\"exp\"]", "[\"b64\"]", "[\"x\"]", "\"x\"", "1", "[1]")) {
      add("crit " + crit, forgery.withHeader("crit", crit));
    }
    for (String zip : List.of("\"DEF\"", "\"GZIP\"", "\"x\"", "1")) {
      add("zip " + zip, forgery.withHeader("zip", zip));
    }
    String bomb =
        Forgery.base64(forgery.headerText().replaceFirst("\\{", "{\"zip\":\"DEF\","))
            + "."
            + Forgery.base64(deflated(" ".repeat(50_000_000) + forgery.claimsText()));
    // Not signed: the service must not inflate a token before it has checked the signature.
    add("a compressed bomb", bomb + ".AAAA");
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
      add("encrypted with " + algorithm, Forgery.base64(header) + ".AAAA.AAAA.AAAA.AAAA");
    }
  }

  private void claims() {
    for (String claim : List.of("iss", "sub", "email", "iat", "exp", "jti", "auth_time")) {
      for (String json : List.of("", "null", "[]", "{}", "true")) {
        add(claim + " is " + json, forgery.withClaim(claim, json));
      }
    }
    for (String time : List.of("exp", "iat", "auth_time")) {
      add(time + " is a text", forgery.withClaim(time, "\"tomorrow\""));
    }
    for (String exp : List.of("0", "-1", "1000000000", "1e9", "1.5")) {
      add("exp " + exp, forgery.withClaim("exp", exp));
    }
    String[][] wrong = {
      {"nbf", "99999999999"},
      {"iat", "99999999999"},
      {"auth_time", "9223372036854775807"},
      {"iss", "\"somebody-else\""},
      {"iss", "[\"emulator\"]"},
      {"sub", "\"1\""},
      {"sub", "\"00000000-0000-4000-8000-000000000000\""},
      {"email", "\"nobody@example.com\""},
      {"email", "\"Connector@Example.com\""},
      {"email", "\"connector@example.com\\n\""},
      {"token_use", "\"static\""},
      {"token_use", "\"refresh\""},
    };
    for (String[] claim : wrong) {
      add(claim[0] + " " + claim[1], forgery.withClaim(claim[0], claim[1]));
    }
    String claims = forgery.claimsText();
    for (String twice : List.of("\"exp\":99999999999", "\"sub\":\"x\"", "\"iss\":\"x\"")) {
      String text = claims.replaceFirst("\\{", "{" + twice + ",");
      add("twice: " + twice, forgery.withTexts(forgery.headerText(), text));
    }
  }

  private void structures() {
    String good = forgery.good();
    String[] parts = good.split("\\.", -1);
    List<String> malformed =
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
            "e30.e30.", // {}.{}.
            "e30." + parts[1] + "." + parts[2],
            "bnVsbA.bnVsbA.", // null.null.
            "W10.W10.AAAA", // [].[]
            "A".repeat(100_000),
            "A.".repeat(50_000));
    for (int i = 0; i < malformed.size(); i++) {
      add("malformed token " + i, malformed.get(i));
    }
    add("a header that is an array", forgery.withTexts("[]", forgery.claimsText()));
    add("claims that are an array", forgery.withTexts(forgery.headerText(), "[]"));
    add("a token in a token", forgery.withTexts(forgery.headerText(), good));
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
