package dev.connectorevents.bench.bill;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.bench.OrderPayload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A payload to be stored. */
record Sample(String name, String eventType, String payload) {

  private static final int LARGEST_KILOBYTES = 128;

  /** Generated ones: of 1 KB, and doubled until the largest. */
  static List<Sample> generated() {
    return IntStream.iterate(1, size -> size <= LARGEST_KILOBYTES, size -> 2 * size)
        .mapToObj(size ->
            new Sample(size + " KB", "shopify.orders/create", OrderPayload.ofSize(size * 1024)))
        .toList();
  }

  /** The files {@code <provider>.<topic>.json} of a folder, by their size. */
  static List<Sample> of(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .map(Sample::read)
          .sorted((one, other) -> Integer.compare(one.bytes(), other.bytes()))
          .toList();
    }
  }

  private static Sample read(Path file) {
    String name = file.getFileName().toString();
    try {
      return new Sample(name, name.replaceFirst("\\.json$", ""), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(name + " is not text in UTF-8", e);
    }
  }

  int bytes() {
    return payload.getBytes(UTF_8).length;
  }
}
