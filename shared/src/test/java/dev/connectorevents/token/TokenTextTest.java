package dev.connectorevents.token;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.TestUsers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A token with malformed JSON is invalid, even if our own key signed it. */
class TokenTextTest {

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final String HEADER = "{\"kid\":\"v1\",\"alg\":\"HS256\"}";
  private static final String CLAIMS =
      "{\"iss\":\"us\",\"sub\":\"%s\",\"jti\":\"1\",\"email\":\"%s\",\"iat\":%d,\"exp\":%d,\"auth_time\":%d}"
          .formatted(
              CONNECTOR.id(),
              CONNECTOR.email(),
              NOW.getEpochSecond(),
              NOW.getEpochSecond() + 60,
              NOW.getEpochSecond());

  private final AdjustableClock clock = new AdjustableClock(NOW.toString());
  private final Tokens tokens =
      new Tokens("us", new KeyRing(new InMemorySigningKeys(), clock), clock);

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakes")
  void neither_header_nor_claims_may_be_anything_but_one_flat_object(
      String mistake, UnaryOperator<String> change) {
    for (String token :
        List.of(token(change.apply(HEADER), CLAIMS), token(HEADER, change.apply(CLAIMS)))) {
      assertThat(tokens.check(token)).as(mistake).isEqualTo(new CheckedToken.Invalid());
    }
  }

  static Object[][] mistakes() {
    return new Object[][] {
      mistake("nothing", text -> ""),
      mistake("an array", text -> "[" + text + "]"),
      mistake("null", text -> "null"),
      mistake("cut short", text -> text.substring(0, text.length() - 1)),
      mistake("trailing text", text -> text + "x"),
      mistake("a trailing NUL", text -> text + "\0"),
      mistake("a trailing brace", text -> text + "}"),
      mistake("a second object", text -> text + "{}"),
      mistake("the same again", text -> text + text),
      mistake("a byte order mark", text -> "\u00EF\u00BB\u00BF" + text),
      mistake("a comment", text -> "/**/" + text),
      mistake("a trailing comma", text -> text.replace("}", ",}")),
      mistake("quotes of another kind", text -> text.replace('"', '\'')),
      mistake("the same name twice", with("\"x\":\"1\",\"x\":\"1\"")),
      mistake("the same name twice, once escaped", with("\"x\":\"1\",\"\\u0078\":\"1\"")),
      mistake("an object", with("\"x\":{}")),
      mistake("the same name twice in an object", with("\"x\":{\"y\":1,\"y\":1}")),
      mistake("an array in it", with("\"x\":[]")),
      mistake("deep nesting", with("\"x\":" + "[".repeat(7_000) + "]".repeat(7_000))),
      mistake("true", with("\"x\":true")),
      mistake("null in it", with("\"x\":null")),
      mistake("a fraction", with("\"x\":1.0")),
      mistake("an exponent", with("\"x\":1e3")),
      mistake("a number past all bounds", with("\"x\":9223372036854775808")),
      mistake("not a number", with("\"x\":NaN")),
      mistake("half a character", with("\"x\":\"\u00C3\"")),
      mistake("an overlong character", with("\"x\":\"\u00C0\u00AF\"")),
      mistake("a surrogate", with("\"x\":\"\u00ED\u00A0\u0080\"")),
      mistake("a name that is no UTF-8", with("\"\u00FF\":\"x\"")),
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"x\":\"\u00C3\u00BC\"", "\"x\":-1", "\"x\":\"1\""})
  void unknown_members_are_accepted(String member) {
    UnaryOperator<String> change = with(member);

    assertThat(tokens.check(token(change.apply(HEADER), change.apply(CLAIMS))))
        .isInstanceOf(CheckedToken.Valid.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"iat", "exp", "auth_time"})
  void a_time_is_a_whole_number(String time) {
    for (String value : List.of("1795176000.0", "1795176e6", "true", "null", "[]", "{}", "\"x\"")) {
      String claims = CLAIMS.replaceFirst("\"" + time + "\":\\d+", "\"" + time + "\":" + value);

      assertThat(claims).isNotEqualTo(CLAIMS);
      assertThat(tokens.check(token(HEADER, claims)))
          .as(value)
          .isEqualTo(new CheckedToken.Invalid());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"zoë@example.com", "\uD83D\uDC1D@example.com", "\uFFFD@example.com"})
  void an_address_beyond_ascii_is_restored(String address) {
    Email email = new Email(address);

    String token = tokens.issue(TestUsers.user(address), NOW, Duration.ofHours(1)).value();

    assertThat(tokens.check(token))
        .isInstanceOfSatisfying(
            CheckedToken.Valid.class, valid -> assertThat(valid.claims().email()).isEqualTo(email));
  }

  private static UnaryOperator<String> with(String member) {
    return text -> "{" + member + "," + text.substring(1);
  }

  private static Object[] mistake(String name, UnaryOperator<String> change) {
    return new Object[] {name, change};
  }

  /**
   * Signs a token without a library, since no library writes malformed JSON. Each character becomes
   * one byte.
   */
  private static String token(String header, String claims) {
    String signed = base64(header.getBytes(ISO_8859_1)) + "." + base64(claims.getBytes(ISO_8859_1));
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(InMemorySigningKeys.key("v1").key());
      return signed + "." + base64(mac.doFinal(signed.getBytes(US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
