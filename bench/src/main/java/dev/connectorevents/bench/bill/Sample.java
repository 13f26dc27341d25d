package dev.connectorevents.bench.bill;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.bench.OrderPayload;
import dev.connectorevents.bench.RequestBody;
import dev.connectorevents.event.IdempotencyKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A request whose event is to be stored.
 *
 * @param key that it is sent under
 */
record Sample(String name, String payload, String body, Optional<IdempotencyKey> key) {

  private static final String ORDER = "shopify.orders/create";

  private static final int LARGEST_KILOBYTES = 128;

  /** Generated ones: of 1 KB, and doubled until the largest; and one with more around it. */
  static List<Sample> generated() {
    List<Sample> samples = new ArrayList<>();
    for (int size = 1; size <= LARGEST_KILOBYTES; size *= 2) {
      samples.add(usual(size + " KB", ORDER, OrderPayload.ofSize(size * 1024)));
    }
    samples.add(2, withSendingAndKey("2 KB", OrderPayload.ofSize(2 * 1024)));
    return samples;
  }

  private static Sample usual(String name, String eventType, String payload) {
    return new Sample(name, payload, RequestBody.usual(eventType, payload), Optional.empty());
  }

  private static Sample withSendingAndKey(String size, String payload) {
    return new Sample(
        size + ", with `status`, `attempts`, `sent_at` and an `Idempotency-Key`",
        payload,
        RequestBody.withSending(ORDER, payload),
        Optional.of(new IdempotencyKey("order-1")));
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
      return usual(name, name.replaceFirst("\\.json$", ""), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(name + " is not text in UTF-8", e);
    }
  }

  int bytes() {
    return payload.getBytes(UTF_8).length;
  }
}
