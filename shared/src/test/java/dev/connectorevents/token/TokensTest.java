package dev.connectorevents.token;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import io.jsonwebtoken.JwtBuilder;
import io.jsonwebtoken.Jwts;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final Instant LOGIN = NOW.minusSeconds(100);
  private static final Duration HOUR = Duration.ofHours(1);

  private final AdjustableClock clock = new AdjustableClock(NOW.toString());
  private final InMemorySigningKeys keys = new InMemorySigningKeys();
  private final Tokens tokens = new Tokens("us", new KeyRing(keys, clock), clock);

  /** Puts a token into the cache, so that no test starts with an empty cache. */
  @BeforeEach
  void remember_a_token() {
    assertThat(tokens.check(signed(UnaryOperator.identity())))
        .isInstanceOf(CheckedToken.Valid.class);
  }

  @Test
  void a_remembered_token_with_one_character_changed_is_invalid() {
    String token = tokens.issue(CONNECTOR, LOGIN, HOUR).value();
    assertThat(tokens.check(token)).isInstanceOf(CheckedToken.Valid.class);

    for (int i = 0; i < token.length() - 1; i++) { // the last character has two unused bits
      char other = token.charAt(i) == 'A' ? 'B' : 'A';
      String changed = token.substring(0, i) + other + token.substring(i + 1);
      assertThat(tokens.check(changed)).isEqualTo(new CheckedToken.Invalid());
    }
    int signature = token.lastIndexOf('.') + 1;
    for (String more : List.of(" ", "\n", ".", "=", "*", "\0", "[", "`", "{", "/", ":", "@")) {
      String before = token.substring(0, signature) + more + token.substring(signature);
      for (String changed : List.of(more + token, before, token + more)) {
        assertThat(tokens.check(changed)).as(more).isEqualTo(new CheckedToken.Invalid());
      }
    }
  }

  @Test
  @Promise("`iss` (the stack's name), `sub` (the user's id)")
  void an_issued_token_is_valid_and_says_whose_it_is() {
    AccessToken token = tokens.issue(CONNECTOR, LOGIN, HOUR);

    assertThat(tokens.check(token.value()))
        .isInstanceOfSatisfying(
            CheckedToken.Valid.class,
            valid -> {
              assertThat(valid.claims().userId()).isEqualTo(CONNECTOR.id());
              assertThat(valid.claims().email()).isEqualTo(CONNECTOR.email());
              assertThat(valid.claims().issuedAt()).isEqualTo(NOW);
              assertThat(valid.claims().expiresAt()).isEqualTo(NOW.plus(HOUR));
              assertThat(valid.claims().authTime()).isEqualTo(LOGIN);
              assertThat(valid.claims().sessionStart()).isEqualTo(LOGIN);
            });
  }

  @Test
  @Promise("A token is a JWT, signed with HS256.")
  void the_header_names_algorithm_and_key() {
    String header = tokens.issue(CONNECTOR, LOGIN, HOUR).value().split("\\.", -1)[0];

    assertThat(new String(Base64.getUrlDecoder().decode(header), UTF_8))
        .isEqualTo("{\"kid\":\"v1\",\"alg\":\"HS256\"}");
  }

  @Test
  void no_two_tokens_are_the_same() {
    assertThat(tokens.issue(CONNECTOR, LOGIN, HOUR).value())
        .isNotEqualTo(tokens.issue(CONNECTOR, LOGIN, HOUR).value());
  }

  @Test
  void a_token_expires_after_its_lifetime_and_the_clock_skew() {
    String token = tokens.issue(CONNECTOR, LOGIN, HOUR).value();

    clock.advance(HOUR.plus(Tokens.CLOCK_SKEW));
    assertThat(tokens.check(token)).isInstanceOf(CheckedToken.Valid.class);

    clock.advance(Duration.ofSeconds(1));
    assertThat(tokens.check(token)).isEqualTo(new CheckedToken.Expired());
  }

  @Test
  @Promise("`AWSCURRENT` and `AWSPREVIOUS` verify")
  void a_token_outlives_one_rotation_but_not_two() {
    String token = tokens.issue(CONNECTOR, LOGIN, HOUR).value();

    keys.rotate("v2");
    clock.advance(KeyRing.MAX_AGE);
    assertThat(tokens.check(token)).isInstanceOf(CheckedToken.Valid.class);

    keys.rotate("v3");
    clock.advance(KeyRing.MAX_AGE);
    assertThat(tokens.check(token)).isEqualTo(new CheckedToken.Invalid());
  }

  @Test
  @Promise("`token_use`: `static`, and no `auth_time`")
  void a_static_token_has_no_login() {
    String token = tokens.issueStatic(CONNECTOR, clock.instant(), HOUR).value();

    assertThat(tokens.check(token))
        .isInstanceOfSatisfying(
            CheckedToken.Valid.class,
            valid -> {
              assertThat(valid.claims().authTime()).isNull();
              assertThat(valid.claims().issuedAt()).isEqualTo(NOW);
              assertThat(valid.claims().sessionStart()).isEqualTo(NOW);
              assertThat(valid.claims().expiresAt()).isEqualTo(NOW.plus(HOUR));
            });
    assertThat(new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), UTF_8))
        .contains("\"token_use\":\"static\"")
        .doesNotContain("auth_time");
  }

  @Test
  @Promise("The version `AWSCURRENT` of the secret signs.")
  void a_static_token_is_signed_with_the_current_key_although_an_older_one_still_verifies() {
    tokens.issue(CONNECTOR, LOGIN, HOUR);
    keys.rotate("v2"); // the ring still caches v1
    clock.advance(KeyRing.MAX_SIGNING_AGE);

    String token = tokens.issueStatic(CONNECTOR, clock.instant(), HOUR).value();

    keys.rotate("v3");
    clock.advance(KeyRing.MAX_AGE);
    assertThat(tokens.check(token)).isInstanceOf(CheckedToken.Valid.class);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakes")
  @Promise({"It requires every claim of the token's kind", "It allows 30 seconds of clock skew."})
  void a_token_of_ours_with_a_mistake_is_invalid(String mistake, UnaryOperator<JwtBuilder> change) {
    assertThat(tokens.check(signed(change))).as(mistake).isEqualTo(new CheckedToken.Invalid());
  }

  static Object[][] mistakes() {
    return new Object[][] {
      mistake("another issuer", jwt -> jwt.issuer("them")),
      mistake("no issuer", jwt -> jwt.issuer(null)),
      mistake("no expiry", jwt -> jwt.expiration(null)),
      mistake("no time of issue", jwt -> jwt.issuedAt(null)),
      mistake("issued in the future", jwt -> jwt.issuedAt(date(31))),
      mistake("not valid yet", jwt -> jwt.notBefore(date(31))),
      mistake("no subject", jwt -> jwt.subject(null)),
      mistake("a subject that is no UUID", jwt -> jwt.subject("1")),
      mistake("no id", jwt -> jwt.id(null)),
      mistake("no address", jwt -> jwt.claim("email", null)),
      mistake("an address that is none", jwt -> jwt.claim("email", "nobody")),
      mistake("an address of another type", jwt -> jwt.claim("email", 1)),
      mistake("no login", jwt -> jwt.claim("auth_time", null)),
      mistake("a login of another type", jwt -> jwt.claim("auth_time", "yesterday")),
      mistake("a login in the future", jwt -> jwt.claim("auth_time", NOW.getEpochSecond() + 31)),
      mistake("a login out of range", jwt -> jwt.claim("auth_time", Long.MAX_VALUE)),
      mistake("a static token with a login", jwt -> jwt.claim("token_use", "static")),
      mistake("an unknown use", jwt -> jwt.claim("token_use", "x").claim("auth_time", null)),
      mistake("no key id", jwt -> jwt.header().delete("kid").and()),
      mistake("an unknown key id", jwt -> jwt.header().keyId("v0").and()),
      mistake("compressed", jwt -> jwt.compressWith(Jwts.ZIP.DEF)),
      mistake("HS512", jwt -> jwt.signWith(InMemorySigningKeys.key("v1").key(), Jwts.SIG.HS512)),
      mistake("another key", jwt -> jwt.signWith(InMemorySigningKeys.key("v2").key())),
    };
  }

  @ParameterizedTest
  @MethodSource("noTokens")
  void a_text_that_is_not_a_token_is_invalid(String text) {
    assertThat(tokens.check(text)).isEqualTo(new CheckedToken.Invalid());
  }

  static String[] noTokens() {
    return new String[] {
      "", "x", "a.b.c", "..", "a..b", "…", "eyJhbGciOiJub25lIn0.e30.", "a b", "a, b", "\0"
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dir",
        "A128KW",
        "A256GCMKW",
        "RSA1_5",
        "RSA-OAEP",
        "RSA-OAEP-256",
        "ECDH-ES",
        "ECDH-ES+A256KW",
        "PBES2-HS256+A128KW"
      })
  void an_encrypted_token_is_invalid_even_if_it_names_our_key(String algorithm) {
    String header =
        "{\"alg\":\"%s\",\"enc\":\"A256GCM\",\"kid\":\"v1\",\"p2c\":1,\"p2s\":\"AAAA\"}"
            .formatted(algorithm);
    String encoded = Base64.getUrlEncoder().withoutPadding().encodeToString(header.getBytes(UTF_8));

    assertThat(tokens.check(encoded + ".AAAA.AAAA.AAAA.AAAA"))
        .isEqualTo(new CheckedToken.Invalid());
  }

  private static Object[] mistake(String name, UnaryOperator<JwtBuilder> change) {
    return new Object[] {name, change};
  }

  private static String signed(UnaryOperator<JwtBuilder> change) {
    SigningKey key = InMemorySigningKeys.key("v1");
    return change.apply(complete(Jwts.builder()).signWith(key.key(), Jwts.SIG.HS256)).compact();
  }

  private static JwtBuilder complete(JwtBuilder jwt) {
    return jwt.header()
        .keyId("v1")
        .and()
        .issuer("us")
        .subject(CONNECTOR.id().toString())
        .id(UUID.randomUUID().toString())
        .issuedAt(date(0))
        .expiration(date(3600))
        .claim("email", CONNECTOR.email().value())
        .claim("auth_time", LOGIN.getEpochSecond());
  }

  private static Date date(int secondsFromNow) {
    return Date.from(NOW.plusSeconds(secondsFromNow));
  }
}
