package dev.connectorevents.bench.speed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;
import org.openjdk.jmh.annotations.Benchmark;

/** Compressing the text with the JDK's gzip. */
public class GzipBenchmark {

  /** What both levels have to do before they can begin, and all there is without compression. */
  @Benchmark
  public byte[] none(RequestText request) {
    return request.text.getBytes(UTF_8);
  }

  @Benchmark
  public byte[] level6(RequestText request) throws IOException {
    return gzip(request.text, 6);
  }

  @Benchmark
  public byte[] level9(RequestText request) throws IOException {
    return gzip(request.text, 9);
  }

  private static byte[] gzip(String text, int level) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    ByteArrayOutputStream compressed = new ByteArrayOutputStream(bytes.length / 4 + 64);
    try (OutputStream gzip = new Gzip(compressed, level)) {
      gzip.write(bytes);
    }
    return compressed.toByteArray();
  }

  private static final class Gzip extends GZIPOutputStream {
    Gzip(OutputStream out, int level) throws IOException {
      super(out);
      def.setLevel(level);
    }
  }
}
