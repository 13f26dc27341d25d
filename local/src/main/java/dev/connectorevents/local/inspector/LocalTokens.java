package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
    String token = tokens.get(role);
    if (token == null) {
      token =
          login(
              switch (role) {
                case CONNECTOR -> connector;
                case CONSUMER -> reader();
              });
      tokens.put(role, token);
    }
    return token;
  }

  synchronized void forget(Role role) {
    tokens.remove(role);
  }

  /** Creates the consumer. If an earlier start has created it, gives it a new password. */
  private LocalUser reader() throws NotSendableException, IOException, InterruptedException {
    String password = RandomText.of(PASSWORD_LENGTH, new SecureRandom());
    Map<String, String> event = new HashMap<>();
    event.put("action", "create");
    event.put("email", READER.value());
    event.put("password", password);
    event.put("role", Role.CONSUMER.text());
    JsonNode answer = manage(event);
    if (!answer.has("user")) {
      event.put("action", "reset-password");
      event.remove("role");
      answer = manage(event);
    }
    if (!answer.has("user")) {
      throw new NotSendableException(
          "The user " + READER + " cannot be created: " + detail(answer));
    }
    return new LocalUser(READER, Optional.of(password));
  }

  private JsonNode manage(Map<String, String> event) throws IOException, InterruptedException {
    return post("/2015-03-31/functions/ManageUsersFunction/invocations", event);
  }

  private String login(LocalUser user)
      throws NotSendableException, IOException, InterruptedException {
    String password =
        user.password()
            .orElseThrow(() ->
                new NotSendableException(
                    "The password of "
                        + user.email()
                        + " is not known here. Send the request"
                        + " with an Authorization header of your own."));
    JsonNode answer =
        post("/api/auth/login", Map.of("email", user.email().value(), "password", password));
    return Optional.ofNullable(answer.path("access_token").textValue())
        .orElseThrow(() ->
            new NotSendableException(
                "The user " + user.email() + " cannot log in: " + detail(answer)));
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
