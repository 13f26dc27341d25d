package dev.connectorevents.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A request that stores an event. Its body contains the payload unchanged. */
public record SampleRequest(String name, String payload, String body, Map<String, String> headers) {

  private static final String ORDER = "shopify.orders/create";

  /** A body with {@code status}, {@code attempts} and {@code sent_at}. */
  private static final String WITH_DELIVERY =
      """
      {"event_type":"%s","connector_installation_id":42,"status":"received","attempts":1,\
      "sent_at":"2026-11-20T11:59:59.250Z","payload":%s}\
      """;

  public SampleRequest {
    headers = Map.copyOf(headers);
  }

  /** Requests with payloads of 1 KB, 2 KB … 128 KB, and {@link #withKey}. */
  public static List<SampleRequest> generated() {
    List<SampleRequest> samples = new ArrayList<>();
    for (int size = 1; size <= 128; size *= 2) {
      samples.add(usual(size + " KB", ORDER, OrderPayload.ofSize(size * 1024)));
    }
    samples.add(2, withKey()); // after the plain request with 2 KB
    return List.copyOf(samples);
  }

  /**
   * A request with 2 KB of payload, an {@code Idempotency-Key}, and the fields {@code status},
   * {@code attempts} and {@code sent_at}.
   */
  public static SampleRequest withKey() {
    String name = "2 KB, with `status`, `attempts`, `sent_at` and an `Idempotency-Key`";
    String payload = OrderPayload.ofSize(2 * 1024);
    String body = WITH_DELIVERY.formatted(ORDER, payload);
    return new SampleRequest(name, payload, body, Map.of("Idempotency-Key", "order-1"));
  }

  /** A request whose payload contains a random file of {@code bytes} bytes, in base64. */
  public static SampleRequest withFile(String name, int bytes) {
    byte[] file = new byte[bytes];
    new Random(bytes).nextBytes(file); // the same in each run
    String text = Base64.getEncoder().encodeToString(file);
    return usual(name, ORDER, "{\"file\":\"" + text + "\"}");
  }

  /**
   * One request for each {@code .json} file of a folder, the smallest payload first. The file
   * contains the payload and is named for the event type: {@code <provider>.<topic>.json}.
   */
  public static List<SampleRequest> of(Path folder) throws IOException {
    List<SampleRequest> samples = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        samples.add(usual(name, name.replaceFirst("\\.json$", ""), Files.readString(file)));
      }
    }
    samples.sort(Comparator.comparingInt(SampleRequest::payloadBytes));
    return List.copyOf(samples);
  }

  private static SampleRequest usual(String name, String eventType, String payload) {
    String body =
        """
        {"event_type":"%s","connector_installation_id":42,"payload":%s}\
        """
            .formatted(eventType, payload);
    return new SampleRequest(name, payload, body, Map.of());
  }

  /** A body of exactly this size in UTF-8. */
  public static String bodyOfSize(int bytes) {
    int around = WITH_DELIVERY.formatted(ORDER, "").length();
    return WITH_DELIVERY.formatted(ORDER, OrderPayload.ofSize(bytes - around));
  }

  public int payloadBytes() {
    return payload.getBytes(UTF_8).length;
  }
}
