package dev.connectorevents.bench.speed;

import dev.connectorevents.bench.SampleRequest;
import java.util.Random;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The texts for the benchmarks, in several sizes. */
@State(Scope.Benchmark)
public class SampleText {

  @Param({"2048", "8192", "32768", "1048576"})
  public int bytes;

  /** The body of a request. */
  public String body = "";

  /**
   * Random text of six letters. Deflate finds short matches nearly everywhere in its window, and
   * tries to extend all of them. With fewer than five letters, or more than seven, it is faster.
   */
  public String smallAlphabet = "";

  @Setup
  public void generate() {
    body = SampleRequest.bodyOfSize(bytes);
    Random random = new Random(20_261_121);
    StringBuilder letters = new StringBuilder(bytes);
    while (letters.length() < bytes) {
      letters.append("abcdef".charAt(random.nextInt(6)));
    }
    smallAlphabet = letters.toString();
  }
}
