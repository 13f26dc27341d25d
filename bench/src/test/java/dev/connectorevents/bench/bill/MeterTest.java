package dev.connectorevents.bench.bill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import dev.connectorevents.bench.SampleRequest;
import dev.connectorevents.bench.bill.Meter.Metered;
import dev.connectorevents.dynamodb.events.ItemSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeterTest {

  @AutoClose private static Meter meter;

  @BeforeAll
  static void start() throws IOException {
    meter = Meter.start(Path.of("../template.yaml"));
  }

  @Test
  void an_event_uses_the_units_of_its_item_and_one_for_each_entry() throws IOException {
    Metered order = meter.measure(SampleRequest.generated().getLast());

    assertThat(order.usage().items()).isEqualTo(1);
    assertThat(order.usage().tableUnits())
        .isEqualTo((double) ItemSize.units(order.usage().itemBytes()));
    assertThat(order.usage().entries()).isEqualTo(2);
    assertThat(order.usage().entryBytes()).isBetween(200L, 400L);
    assertThat(order.usage().indexUnits())
        .containsExactly(entry("by_brand", 1.0), entry("by_time", 1.0));
    assertThat(order.plain().tableUnits()).isEqualTo(129);
  }

  /**
   * {@code CapacityMeter} computes the units of a transaction. DynamoDB Local would count items
   * with equal units only once.
   */
  @ParameterizedTest
  @ValueSource(ints = {1_000_000, 4_600_000})
  void an_event_of_several_items_uses_twice_the_units_of_each(int bytes) throws IOException {
    Metered event = meter.measure(request("{\"a\":\"" + noise(bytes) + "\"}"));

    int items = event.usage().items();
    assertThat(items).isEqualTo((int) Math.ceilDiv(event.usage().itemBytes(), ItemSize.LIMIT));
    assertThat(event.usage().tableUnits() / 2)
        .isBetween(
            (double) ItemSize.units(event.usage().itemBytes()),
            (double) ItemSize.units(event.usage().itemBytes()) + items - 1);
  }

  /** Text that gzip shrinks by only a quarter. */
  private static String noise(int length) {
    byte[] random = new byte[length / 4 * 3];
    new Random(1).nextBytes(random);
    return Base64.getEncoder().encodeToString(random);
  }

  @Test
  void an_event_without_a_brand_has_one_entry() throws IOException {
    Metered event = meter.measure(request("{\"a\":1}"));

    assertThat(event.usage().entries()).isEqualTo(1);
    assertThat(event.usage().indexUnits())
        .containsExactly(entry("by_brand", 0.0), entry("by_time", 1.0));
  }

  @Test
  void what_the_service_refuses_is_not_billed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> meter.measure(request("[]")))
        .withMessageContaining("validation_failed");
  }

  private static SampleRequest request(String payload) {
    String body = "{\"event_type\":\"a.b\",\"payload\":" + payload + "}";
    return new SampleRequest("a", payload, body, Map.of());
  }
}
