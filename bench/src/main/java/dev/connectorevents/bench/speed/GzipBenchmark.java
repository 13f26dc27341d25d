package dev.connectorevents.bench.speed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.dynamodb.Gzip;
import org.openjdk.jmh.annotations.Benchmark;

/** Compressing a payload as the service does. */
public class GzipBenchmark {

  /** What comes before it, and all there is without compression. */
  @Benchmark
  public byte[] none(RequestText request) {
    return request.text.getBytes(UTF_8);
  }

  @Benchmark
  public byte[] compress(RequestText request) {
    return Gzip.compress(request.text.getBytes(UTF_8));
  }

  /** The slowest text there is, to our knowledge: it must stay under 0.3 s of CPU a megabyte. */
  @Benchmark
  public byte[] compressWorstAlphabet(SmallAlphabetText request) {
    return Gzip.compress(request.text.getBytes(UTF_8));
  }
}
