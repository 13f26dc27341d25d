package dev.connectorevents.bench.speed;

import dev.connectorevents.bench.RequestBody;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The request body that every benchmark works on, in all its sizes. */
@State(Scope.Benchmark)
public class RequestText {

  @Param({"2048", "8192", "32768", "1048576"})
  public int bytes;

  public String text = "";

  @Setup
  public void generate() {
    text = RequestBody.ofSize(bytes);
  }
}
