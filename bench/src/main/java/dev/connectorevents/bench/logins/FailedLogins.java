package dev.connectorevents.bench.logins;

import static dev.connectorevents.bench.MarkdownTable.figure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.bench.MarkdownTable;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/** Compares how long the service takes to refuse a wrong password and an unknown address. */
public final class FailedLogins {

  private static final int WARM_UPS = 10;
  private static final int MEASUREMENTS = 30;
  private static final ObjectMapper JSON = new ObjectMapper();

  private record Times(String of, DescriptiveStatistics ms) {}

  // Each row keeps only the last MEASUREMENTS times, so the times of the warm-up drop out.
  private final Times known = new Times("wrong password", new DescriptiveStatistics(MEASUREMENTS));
  private final Times unknown =
      new Times("unknown address", new DescriptiveStatistics(MEASUREMENTS));

  /** Sends both kinds of login in turns, so that other load on the machine affects both alike. */
  public FailedLogins(Path template) throws IOException {
    try (Emulator service = Emulator.start(EmulatorOptions.inMemory(template))) {
      ServiceClient client = new ServiceClient(service);
      for (int i = 0; i < WARM_UPS + MEASUREMENTS; i++) {
        known.ms.addValue(ms(client, ServiceClient.EMAIL, 2 * i));
        unknown.ms.addValue(ms(client, "nobody-" + i + "@example.com", 2 * i + 1));
      }
    }
  }

  /**
   * Tries to log in, and returns the duration in ms. Each try has its own IP address, so that no
   * limit for failed logins applies.
   */
  private static double ms(ServiceClient client, String email, int source) throws IOException {
    ObjectNode event = JSON.createObjectNode().put("routeKey", "POST /api/auth/login");
    event.put("body", "{\"email\":\"%s\",\"password\":\"a guess\"}".formatted(email));
    ObjectNode context = event.putObject("requestContext").put("requestId", "bench");
    context.putObject("http").put("sourceIp", "198.51.100." + source);
    long start = System.nanoTime();
    JsonNode answer = client.invoke("LoginFunction", event);
    double ms = (System.nanoTime() - start) / 1e6;
    if (answer.path("statusCode").asInt() != 401) {
      throw new IllegalStateException("a failed login must get 401, not " + answer);
    }
    return ms;
  }

  @Override
  public String toString() {
    return new MarkdownTable<>(List.of(known, unknown))
            .column("a login that fails", Times::of)
            .column("median", "%.2f ms", times -> times.ms.getPercentile(50))
            .column("fastest", "%.2f ms", times -> times.ms.getMin())
            .column("slowest", "%.2f ms", times -> times.ms.getMax())
        + "\nunknown address / wrong password: "
        + figure("%.3f\n", unknown.ms.getPercentile(50) / known.ms.getPercentile(50));
  }
}
