package dev.connectorevents.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.bench.logins.ServiceClient;
import dev.connectorevents.dynamodb.events.ItemSize;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.dynamodb.WriteObserver.Write;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@Tag("nightly") // it starts the whole service
class BarePutItemTest {

  @Test
  void its_item_has_the_attributes_and_the_size_of_the_services_own() throws IOException {
    JsonNode event =
        new ObjectMapper()
            .readTree(Path.of("../events/create-webhook-event.shopify.json").toFile());
    String body = event.get("body").textValue();
    Map<String, AttributeValue> stored =
        stored(body, event.at("/headers/idempotency-key").textValue());

    String payload = body.substring(body.length() - BarePutItem.PAYLOAD_BYTES);
    Map<String, AttributeValue> item = BarePutItem.item(payload);

    assertThat(item.keySet()).isEqualTo(stored.keySet());
    assertThat(ItemSize.of(item)).isCloseTo(ItemSize.of(stored), within(10L));
  }

  private static Map<String, AttributeValue> stored(String body, String key) throws IOException {
    Path template = Path.of("../template.yaml");
    List<Write> writes = new ArrayList<>();
    EmulatorOptions options =
        EmulatorOptions.inMemory(template)
            .observed(exchange -> writes.addAll(exchange.call().orElseThrow().writes()));
    try (Emulator service = Emulator.start(options)) {
      ServiceClient connector = new ServiceClient(service);
      connector.post("/api/webhook-events", body, Map.of("Idempotency-Key", key));
      return writes.getFirst().items().getFirst();
    }
  }
}
