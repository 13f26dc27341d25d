package dev.connectorevents.local;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends an edited request to the API, with the local user's token. */
final class Resender {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String AUTHORIZATION = "Authorization";

  /**
   * A request as the page sends it.
   *
   * @param path with the query
   * @param asLocalUser whether to replace the header Authorization
   */
  record Edited(
      String method, String path, Map<String, String> headers, String body, boolean asLocalUser) {

    Edited {
      requireNonNull(method, "method");
      requireNonNull(path, "path");
      requireNonNull(body, "body");
      headers = Map.copyOf(headers);
    }
  }

  /** The request cannot be sent; the message says why. */
  static final class NotSendable extends Exception {
    private static final long serialVersionUID = 1L;

    NotSendable(String message) {
      super(message);
    }
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI api;
  private final FirstUser.Credentials user;
  private @Nullable String token;

  Resender(URI api, FirstUser.Credentials user) {
    this.api = api;
    this.user = user;
  }

  /** Returns API Gateway's id of the request. */
  String send(Edited edited) throws NotSendable, IOException, InterruptedException {
    HttpResponse<String> answer = tried(edited);
    if (answer.statusCode() == 401 && edited.asLocalUser()) {
      setToken(null); // it has expired, or was revoked
      answer = tried(edited);
    }
    int status = answer.statusCode();
    return answer
        .headers()
        .firstValue("apigw-requestid")
        .orElseThrow(() ->
            new NotSendable("The API has not got the request; the answer was " + status + "."));
  }

  private HttpResponse<String> tried(Edited edited)
      throws NotSendable, IOException, InterruptedException {
    if (!edited.path().startsWith("/")) {
      throw new NotSendable("The path must start with a slash.");
    }
    HttpRequest.Builder request;
    try {
      request =
          HttpRequest.newBuilder(URI.create(api + edited.path()))
              .method(edited.method(), BodyPublishers.ofString(edited.body()));
      edited.headers().forEach(request::setHeader);
    } catch (IllegalArgumentException e) {
      throw new NotSendable(String.valueOf(e.getMessage()));
    }
    if (edited.asLocalUser()) {
      request.setHeader(AUTHORIZATION, "Bearer " + token());
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private synchronized String token() throws NotSendable, IOException, InterruptedException {
    if (token == null) {
      token = login();
    }
    return token;
  }

  private synchronized void setToken(@Nullable String newToken) {
    token = newToken;
  }

  private String login() throws NotSendable, IOException, InterruptedException {
    String password =
        user.password()
            .orElseThrow(() ->
                new NotSendable(
                    "The password of "
                        + user.email()
                        + " is not known here. Send the request"
                        + " with an Authorization header of your own."));
    String body =
        JSON.createObjectNode()
            .put("email", user.email().value())
            .put("password", password)
            .toString();
    HttpRequest login =
        HttpRequest.newBuilder(URI.create(api + "/api/auth/login"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    JsonNode answer = JSON.readTree(client.send(login, BodyHandlers.ofString()).body());
    return Optional.ofNullable(answer.path("access_token").textValue())
        .orElseThrow(() ->
            new NotSendable("The local user cannot log in: " + answer.path("detail").asText()));
  }
}
