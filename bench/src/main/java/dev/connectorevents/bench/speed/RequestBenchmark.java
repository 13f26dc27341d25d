package dev.connectorevents.bench.speed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.http.Request;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** What happens to a body besides reading it. */
public class RequestBenchmark {

  /** Checks that it is well-formed, and hashes it. */
  @Benchmark
  public Fingerprint fingerprint(RequestText body) {
    Request request = new Request("id", "192.0.2.1", Map.of(), body.text, false);
    return Fingerprint.of(request.text().orElseThrow().getBytes(UTF_8));
  }
}
