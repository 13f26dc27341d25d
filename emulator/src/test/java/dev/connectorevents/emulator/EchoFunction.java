package dev.connectorevents.emulator;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueResponse;

/**
 * Returns its event, its environment and its remaining time in milliseconds. For the body {@code
 * aws}, also returns the tables and the secret's length that AWS clients with default settings
 * find.
 */
public final class EchoFunction implements RequestStreamHandler {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final Map<String, String> environment;

  public EchoFunction(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
    JsonNode event = JSON.readTree(in);
    Map<String, Object> answer =
        Map.of(
            "event",
            event,
            "environment",
            environment,
            "remaining",
            context.getRemainingTimeInMillis(),
            "aws",
            event.path("body").asText().equals("aws") ? reached() : "");
    JSON.writeValue(out, Map.of("statusCode", 200, "body", JSON.writeValueAsString(answer)));
  }

  private String reached() {
    try (DynamoDbClient tables = DynamoDbClient.create();
        SecretsManagerClient secrets = SecretsManagerClient.create()) {
      GetSecretValueResponse secret =
          secrets.getSecretValue(r -> r.secretId(environment.get("SECRET_ARN")));
      return tables.listTables().tableNames() + " " + secret.secretString().length();
    }
  }
}
