package dev.connectorevents.bench.speed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.Gzip;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.http.Request;
import dev.connectorevents.json.Body;
import dev.connectorevents.token.CheckedToken;
import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.SigningKeys;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The benchmarks: one class for each part of the work for a request. */
public final class Benchmarks {

  private Benchmarks() {}

  /** Baseline: Jackson parses the request body into a tree, without our rules. */
  public static class Jackson {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Benchmark
    public JsonNode tree(SampleText text) throws JsonProcessingException {
      return JSON.readTree(text.body);
    }
  }

  /** Reads the body of a request that creates an event, and checks the body against all rules. */
  public static class EventRequestBenchmark {
    @Benchmark
    public Body<EventRequest> read(SampleText text) {
      return EventRequest.read(text.body);
    }
  }

  /** Checks that a body is well-formed Unicode, and computes the fingerprint of the event. */
  public static class RequestBenchmark {
    private static final EventType TYPE = new EventType("shopify.orders/create");

    @Benchmark
    public Fingerprint fingerprint(SampleText text) {
      Request request = new Request("id", "192.0.2.1", Map.of(), text.body, false);
      SentPayload payload = new SentPayload(request.text().orElseThrow(), false, Optional.empty());
      return Fingerprint.of(TYPE, 42L, payload);
    }
  }

  /**
   * Compresses a text as the service compresses payloads. As a baseline, {@code none} only encodes
   * the text in UTF-8.
   */
  public static class GzipBenchmark {
    @Benchmark
    public byte[] none(SampleText text) {
      return text.body.getBytes(UTF_8);
    }

    @Benchmark
    public byte[] compress(SampleText text) {
      return Gzip.compress(text.body.getBytes(UTF_8));
    }

    /** Compresses the slowest text that we know: a megabyte takes about 0.26 s of CPU (ADR 6). */
    @Benchmark
    public byte[] compressWorstAlphabet(SampleText text) {
      return Gzip.compress(text.smallAlphabet.getBytes(UTF_8));
    }
  }

  /** Checks a token with a cached key. */
  @State(Scope.Benchmark)
  public static class TokenBenchmark {
    private static final Email EMAIL = new Email("connector@example.com");
    private static final User USER =
        new User(
            UUID.randomUUID(),
            EMAIL,
            null,
            UserState.ACTIVE,
            Role.CONNECTOR,
            null,
            Instant.MIN,
            Instant.MIN);

    private record OneKey(SigningKey current) implements SigningKeys {
      @Override
      public Optional<SigningKey> previous() {
        return Optional.empty();
      }

      @Override
      public Optional<SigningKey> pending() {
        return Optional.empty();
      }
    }

    private final Clock clock = Clock.systemUTC();
    private final SecretKeySpec key = new SecretKeySpec(new byte[64], "HmacSHA256");
    private final KeyRing keys = new KeyRing(new OneKey(new SigningKey("bench", key)), clock);
    private final Tokens tokens = new Tokens("bench", keys, clock);
    private final String token = tokens.issue(USER, clock.instant(), Duration.ofHours(1)).value();

    @Benchmark
    public CheckedToken.Valid check() {
      return (CheckedToken.Valid) tokens.check(token);
    }
  }
}
