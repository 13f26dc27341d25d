package dev.connectorevents.bench.speed;

import dev.connectorevents.http.EventRequest;
import org.openjdk.jmh.annotations.Benchmark;

/** Reading a request and checking all its rules. */
public class EventRequestBenchmark {

  @Benchmark
  public EventRequest read(RequestText request) {
    return EventRequest.read(request.text);
  }
}
