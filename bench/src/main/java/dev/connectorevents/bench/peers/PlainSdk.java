package dev.connectorevents.bench.peers;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A function that stores an event as tutorials do. It checks no token and no rules, and reads no
 * secret.
 */
public abstract class PlainSdk
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {

  /** Uses the SDK's smallest HTTP client, which is based on {@code HttpURLConnection}. */
  public static final class UrlConnection extends PlainSdk {
    public UrlConnection() {
      super(UrlConnectionHttpClient.create());
    }
  }

  /** Uses CRT, an HTTP client in native code. */
  public static final class Crt extends PlainSdk {
    public Crt() {
      super(AwsCrtHttpClient.create());
    }
  }

  private final ObjectMapper json = new ObjectMapper();
  private final DynamoDbClient dynamoDb;

  PlainSdk(SdkHttpClient http) {
    dynamoDb = DynamoDbClient.builder().httpClient(http).build();
  }

  @Override
  public APIGatewayProxyResponseEvent handleRequest(
      APIGatewayProxyRequestEvent event, Context context) {
    JsonNode body = read(event.getBody());
    String id = UUID.randomUUID().toString();
    AttributeValue type = fromS(body.path("event_type").asText());
    AttributeValue payload = fromS(body.path("payload").toString());
    Map<String, AttributeValue> item =
        Map.of("id", fromS(id), "event_type", type, "payload", payload);
    dynamoDb.putItem(put -> put.tableName(System.getenv("EVENTS_TABLE")).item(item));
    return new APIGatewayProxyResponseEvent()
        .withStatusCode(201)
        .withBody(json.createObjectNode().put("id", id).toString());
  }

  private JsonNode read(String body) {
    try {
      return json.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the body is no JSON", e);
    }
  }
}
