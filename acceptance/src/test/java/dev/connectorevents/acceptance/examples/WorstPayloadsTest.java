package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Payloads that the service accepts, and that {@code examples/consumer.py} must not stop at. */
class WorstPayloadsTest {

  private static final String DIGITS = "9".repeat(5_000);

  private static final List<String> MEMBERS =
      List.of(
          "\"a\":\"\\u0000\\ud800\"",
          "\"a\":" + DIGITS + ",\"b\":1e400,\"total_price\":0." + DIGITS,
          "\"a\":1,\"a\":2,\"updated_at\":\"\\ud800\",\"currency\":\"\\u0000\"",
          "\"a\":" + "[".repeat(997) + "]".repeat(997),
          "\"a\":\"" + "\\u0000".repeat(450_000) + "\"");

  // The recorder cannot read numbers of so many digits.
  @AutoClose private final World service = World.start(new Setup().unrecorded());

  @TempDir private Path folder;

  @Test
  void the_consumer_takes_each_of_them_and_goes_on() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    String token = service.client().token();
    for (String members : MEMBERS) {
      assertThat(
              service
                  .client()
                  .post(
                      UnreliableGateway.EVENTS, event(members), "Authorization", "Bearer " + token)
                  .status())
          .isEqualTo(201);
    }
    service.number();
    Consumer consumer =
        new Consumer(
            folder.resolve("file"),
            Map.of(
                "API_URL",
                service.baseUrl().resolve("/").toString(),
                "CONSUMER_TOKEN",
                service.operator().consumerToken()));

    assertThat(consumer.readAll().errors()).isEmpty();

    assertThat(consumer.sql("SELECT count FROM signals")).containsExactly("5");
    assertThat(consumer.sql("SELECT is_tied FROM latest")).containsExactly("1");
    assertThat(consumer.lastOrders()).isEmpty();
  }

  private static String event(String members) {
    return ("{\"event_type\":\"shopify.orders/create\","
            + "\"payload\":{%s,\"_meta\":{\"brand_id\":\"\\u0000\\ud800\","
            + "\"object\":\"\\u0000\\ud800\",\"version\":\"1\"}}}")
        .formatted(members);
  }
}
