package dev.connectorevents.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromB;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.crt.AwsCrtHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A function that only writes an item, as large as the item that {@code createevent} writes. It
 * uses the service's jar, and the same HTTP client and attempt timeout. So {@code createevent} is
 * slower only by the time of the service's own code.
 */
public final class BarePutItem implements RequestStreamHandler {

  static final int PAYLOAD_BYTES = 435;

  private final DynamoDbClient dynamoDb =
      DynamoDbClient.builder()
          .httpClient(AwsCrtHttpClient.builder().connectionTimeout(Duration.ofSeconds(1)).build())
          .overrideConfiguration(
              settings -> settings.apiCallAttemptTimeout(Duration.ofMillis(2_500)))
          .build();

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    String event = new String(input.readAllBytes(), UTF_8);
    Map<String, AttributeValue> item = item(event.substring(event.length() - PAYLOAD_BYTES));
    dynamoDb.putItem(put -> put.tableName(System.getenv("EVENTS_TABLE")).item(item));
    output.write("{\"statusCode\":201,\"body\":\"{}\"}".getBytes(UTF_8));
  }

  /**
   * An item with the attributes that the service writes for {@code
   * events/create-webhook-event.shopify.json}.
   */
  static Map<String, AttributeValue> item(String payload) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("request", fromB(SdkBytes.fromByteArray(new byte[20])));
    item.put("id", fromS(UUID.randomUUID().toString()));
    item.put("connector_installation_id", fromN("42"));
    item.put("status", fromS("received"));
    item.put("attempts", fromN("1"));
    item.put("sent_at", fromS("2026-11-20T11:59:59.250Z"));
    item.put("created_at", fromS("2026-11-20T12:00:00.000Z"));
    item.put("user_id", fromB(SdkBytes.fromByteArray(new byte[16])));
    item.put("event_type", fromS("shopify.orders/create"));
    item.put("brand_key", fromS("brand-7#0"));
    item.put("payload", fromS(payload));
    return item;
  }
}
