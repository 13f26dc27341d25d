package dev.connectorevents.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.bench.BenchUser;
import dev.connectorevents.dynamodb.DynamoEvents;
import dev.connectorevents.dynamodb.ItemBytes;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.functions.createevent.Intake;
import dev.connectorevents.functions.snapshot.CannedAws;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.UserWithHash;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

class BarePutItemTest {

  private final Map<String, AttributeValue> stored = new HashMap<>();

  @Test
  void its_item_has_the_attributes_and_the_size_of_the_services_own() throws IOException {
    JsonNode event =
        new ObjectMapper()
            .readTree(Path.of("../events/create-webhook-event.shopify.json").toFile());
    String body = event.get("body").textValue();
    store(body, event.get("headers").get("idempotency-key").textValue());

    String payload = body.substring(body.length() - BarePutItem.PAYLOAD_BYTES);
    Map<String, AttributeValue> item = BarePutItem.item(payload);

    assertThat(item.keySet()).isEqualTo(stored.keySet());
    assertThat(new ItemBytes(item).all()).isCloseTo(new ItemBytes(stored).all(), within(10L));
  }

  private void store(String body, String key) {
    try (DynamoDbClient dynamoDb =
        DynamoDbClient.builder()
            .region(Region.US_EAST_1)
            .credentialsProvider(AnonymousCredentialsProvider.create())
            .httpClient(
                new CannedAws(new UserWithHash(BenchUser.create(), PasswordHash.unmatchable(4))))
            .overrideConfiguration(settings -> settings.addExecutionInterceptor(new Recorder()))
            .build()) {
      new Intake(new DynamoEvents(dynamoDb, "events", new SecureRandom()))
          .take(body, IdempotencyKey.parse(key));
    }
  }

  private final class Recorder implements ExecutionInterceptor {
    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      stored.putAll(((PutItemRequest) context.request()).item());
    }
  }
}
