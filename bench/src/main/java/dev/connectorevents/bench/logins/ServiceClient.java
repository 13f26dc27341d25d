package dev.connectorevents.bench.logins;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.function.InvokeEndpoint;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/**
 * Creates a connector in the local service, and sends requests with the token of this connector.
 */
public final class ServiceClient {

  public static final String EMAIL = "connector@example.com";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Emulator service;
  private final String token;

  public ServiceClient(Emulator service) throws IOException {
    this.service = service;
    manageUser("create");
    token = manageUser("issue-static-token").at("/token/access_token").textValue();
  }

  private JsonNode manageUser(String action) throws IOException {
    JsonNode event = JSON.createObjectNode().put("action", action).put("email", EMAIL);
    JsonNode answer = invoke("ManageUsersFunction", event);
    if (!answer.has("user")) {
      throw new IllegalStateException(action + " failed: " + answer);
    }
    return answer;
  }

  public JsonNode invoke(String function, JsonNode event) throws IOException {
    return post(InvokeEndpoint.PATH + function + "/invocations", event.toString(), Map.of());
  }

  /** Sends JSON with the connector's token and returns the body of the answer. */
  public JsonNode post(String path, String body, Map<String, String> headers) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(service.baseUrl().resolve(path))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return JSON.readTree(http.sendAsync(request.build(), BodyHandlers.ofByteArray()).join().body());
  }
}
