package dev.connectorevents.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleRequestTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  @Test
  void generated_payloads_have_the_sizes_of_their_names() {
    assertThat(SampleRequest.generated())
        .hasSize(9)
        .allSatisfy(
            sample -> assertThat(sample.name()).startsWith(sample.payloadBytes() / 1024 + " KB"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1_300, 2_048, 32_768, 1_048_576})
  void a_body_is_json_of_exactly_the_size_that_was_asked_for(int bytes) throws IOException {
    String body = SampleRequest.bodyOfSize(bytes);

    assertThat(body.getBytes(UTF_8)).hasSize(bytes);
    assertThat(JSON.readTree(body).at("/payload/_meta/source").textValue()).isEqualTo("shopify");
  }

  @Test
  void what_is_named_in_an_order_is_repeated_by_its_name() throws IOException {
    JsonNode order = JSON.readTree(OrderPayload.ofSize(4_096));

    String customer = order.at("/customer/id").asText();
    assertThat(order.at("/customer/email").textValue()).isEqualTo("c" + customer + "@example.com");
    assertThat(order.get("line_items")).hasSizeGreaterThan(1);
    assertThat(order.toString()).doesNotContain("<").doesNotContain("$");
  }

  @Test
  void no_order_is_smaller_than_what_surrounds_its_line_items() {
    assertThatIllegalArgumentException().isThrownBy(() -> OrderPayload.ofSize(500));
  }

  @Test
  void files_are_named_for_their_event_type_and_sorted_by_their_size() throws IOException {
    Files.writeString(folder.resolve("github.push.json"), "{\"a\":\"é\"}");
    Files.writeString(folder.resolve("stripe.charge.succeeded.json"), "{}");
    Files.writeString(folder.resolve("notes.txt"), "no payload");

    assertThat(SampleRequest.of(folder))
        .extracting(SampleRequest::name, SampleRequest::payloadBytes, SampleRequest::body)
        .containsExactly(
            tuple(
                "stripe.charge.succeeded.json",
                2,
                "{\"event_type\":\"stripe.charge.succeeded\",\"connector_installation_id\":42,\"payload\":{}}"),
            tuple(
                "github.push.json",
                10,
                "{\"event_type\":\"github.push\",\"connector_installation_id\":42,\"payload\":{\"a\":\"é\"}}"));
  }
}
