package dev.connectorevents.bench.speed;

import dev.connectorevents.bench.BenchUser;
import dev.connectorevents.bench.OneKey;
import dev.connectorevents.token.KeyText;
import dev.connectorevents.token.TokenCheck;
import dev.connectorevents.token.Tokens;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Whether a token is ours and in time, with its key at hand. */
@State(Scope.Benchmark)
public class TokenBenchmark {

  private final Tokens tokens =
      OneKey.of("bench", KeyText.random(new SecureRandom())).tokens("bench");

  private final String token =
      tokens.issue(BenchUser.create(), Instant.now(), Duration.ofHours(1)).value();

  @Benchmark
  public TokenCheck.Valid check() {
    return (TokenCheck.Valid) tokens.check(token);
  }
}
