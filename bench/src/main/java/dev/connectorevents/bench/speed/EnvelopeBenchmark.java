package dev.connectorevents.bench.speed;

import dev.connectorevents.event.Envelope;
import org.openjdk.jmh.annotations.Benchmark;

/** Reading the members and cutting out the payload. */
public class EnvelopeBenchmark {

  @Benchmark
  public Envelope read(RequestText request) {
    return Envelope.read(request.text);
  }
}
