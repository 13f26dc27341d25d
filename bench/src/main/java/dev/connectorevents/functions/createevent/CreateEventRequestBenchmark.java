package dev.connectorevents.functions.createevent;

import dev.connectorevents.bench.speed.RequestText;
import org.openjdk.jmh.annotations.Benchmark;

/** Reading a request and checking all its rules; in this package, since nobody else may. */
public class CreateEventRequestBenchmark {

  @Benchmark
  public Object of(RequestText request) {
    return CreateEventRequest.of(request.text);
  }
}
