package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.local.inspector.Resender.NotSendableException;
import dev.connectorevents.token.RandomText;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The inspector's tokens: the first user's, and those of a consumer that this class creates. */
final class LocalTokens {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Nobody else has an address in this domain: RFC 6761, section 6.4. */
  private static final Email READER = new Email("reader@inspector.invalid");

  private static final int PASSWORD_LENGTH = 32;

  private final HttpClient client;
  private final URI api;
  private final LocalUser connector;
  private final Map<Role, String> tokens = new EnumMap<>(Role.class);

  LocalTokens(HttpClient client, URI api, LocalUser connector) {
    this.client = client;
    this.api = api;
    this.connector = connector;
  }

  /** A token of a user with this role; logs in if there is none. */
  synchronized String of(Role role) throws NotSendableException, IOException, InterruptedException {
    if (!tokens.containsKey(role)) {
      tokens.put(role, login(role == Role.CONNECTOR ? connector : reader()));
    }
    return tokens.get(role);
  }

  synchronized void forget(Role role) {
    tokens.remove(role);
  }

  /** Creates the consumer. If an earlier start has created it, gives it a new password. */
  private LocalUser reader() throws NotSendableException, IOException, InterruptedException {
    String password = RandomText.of(PASSWORD_LENGTH, new SecureRandom());
    Map<String, String> user = Map.of("email", READER.value(), "password", password);
    JsonNode answer = manage(user, Map.of("action", "create", "role", Role.CONSUMER.text()));
    if (!answer.has("user")) {
      answer = manage(user, Map.of("action", "reset-password"));
    }
    if (!answer.has("user")) {
      throw new NotSendableException(
          "The user " + READER + " cannot be created: " + detail(answer));
    }
    return new LocalUser(READER, Optional.of(password));
  }

  private JsonNode manage(Map<String, String> user, Map<String, String> action)
      throws IOException, InterruptedException {
    Map<String, String> event = new HashMap<>(user);
    event.putAll(action);
    return post("/2015-03-31/functions/ManageUsersFunction/invocations", event);
  }

  private String login(LocalUser user)
      throws NotSendableException, IOException, InterruptedException {
    if (user.password().isEmpty()) {
      throw new NotSendableException(
          "The password of %s is not known here. Send the request with an Authorization header of your own."
              .formatted(user.email()));
    }
    Map<String, String> body =
        Map.of("email", user.email().value(), "password", user.password().get());
    JsonNode answer = post("/api/auth/login", body);
    if (!answer.has("access_token")) {
      throw new NotSendableException(
          "The user " + user.email() + " cannot log in: " + detail(answer));
    }
    return answer.path("access_token").asText();
  }

  private JsonNode post(String path, Map<String, String> body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(api + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build();
    return JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
  }

  private static String detail(JsonNode answer) {
    return answer.path("detail").asText();
  }
}
