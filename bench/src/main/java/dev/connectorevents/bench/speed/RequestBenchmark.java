package dev.connectorevents.bench.speed;

import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.http.Request;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;

/** What happens to a body besides reading it. */
public class RequestBenchmark {

  private static final EventType TYPE = new EventType("shopify.orders/create");

  /** Checks that it is well-formed, and hashes what a retry must repeat: nearly all of it. */
  @Benchmark
  public Fingerprint fingerprint(RequestText body) {
    Request request = new Request("id", "192.0.2.1", Map.of(), body.text, false);
    SentPayload payload = new SentPayload(request.text().orElseThrow(), false, Optional.empty());
    return Fingerprint.of(TYPE, 42L, payload);
  }
}
