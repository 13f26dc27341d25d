package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.token.CheckedToken;
import dev.connectorevents.token.InMemorySigningKeys;
import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.Tokens;

/** Fuzzes the check of tokens. Anybody can send a token. */
class TokenFuzzTest {

  private final AdjustableClock clock = new AdjustableClock("2026-01-01T00:00:00Z");
  private final Tokens tokens =
      new Tokens("fuzzing", new KeyRing(new InMemorySigningKeys(), clock), clock);

  @FuzzTest
  void nobody_makes_a_token_without_the_key(byte[] bytes) {
    String text = new String(bytes, ISO_8859_1);
    Budget.spend(
        bytes, () -> assertThat(tokens.check(text)).isNotInstanceOf(CheckedToken.Valid.class));
  }
}
