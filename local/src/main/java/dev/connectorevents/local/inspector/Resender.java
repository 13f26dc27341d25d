package dev.connectorevents.local.inspector;

import static java.util.Objects.requireNonNull;

import dev.connectorevents.user.Role;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends an edited request to the API, with a token of the chosen role. */
final class Resender {

  private static final String AUTHORIZATION = "Authorization";

  /**
   * A request as the page sends it.
   *
   * @param path with the query
   * @param role whose token replaces the header Authorization; null to send the headers as they are
   */
  record EditedRequest(
      String method, String path, Map<String, String> headers, String body, @Nullable Role role) {

    EditedRequest {
      requireNonNull(method, "method");
      requireNonNull(path, "path");
      requireNonNull(body, "body");
      headers = Map.copyOf(headers);
    }
  }

  private final HttpClient client;
  private final URI api;
  private final LocalTokens tokens;

  Resender(URI api, LocalUser connector) {
    this.client = HttpClient.newHttpClient();
    this.api = api;
    this.tokens = new LocalTokens(client, api, connector);
  }

  /**
   * Sends the request; if the answer is 401, once more with a new token.
   *
   * @return API Gateway's id of the request
   * @throws NotSendableException if the request did not reach API Gateway
   */
  String send(EditedRequest edited) throws NotSendableException, IOException, InterruptedException {
    HttpResponse<String> answer = sendOnce(edited);
    if (answer.statusCode() == 401 && edited.role() != null) {
      tokens.forget(edited.role()); // it has expired, or was revoked
      answer = sendOnce(edited);
    }
    int status = answer.statusCode();
    return answer
        .headers()
        .firstValue("apigw-requestid")
        .orElseThrow(() ->
            new NotSendableException(
                "API Gateway did not receive the request: status " + status + "."));
  }

  private HttpResponse<String> sendOnce(EditedRequest edited)
      throws NotSendableException, IOException, InterruptedException {
    if (!edited.path().startsWith("/")) {
      throw new NotSendableException("The path must start with a slash.");
    }
    HttpRequest.Builder request;
    try {
      request =
          HttpRequest.newBuilder(URI.create(api + edited.path()))
              .method(edited.method(), BodyPublishers.ofString(edited.body()));
      edited.headers().forEach(request::setHeader);
    } catch (IllegalArgumentException e) {
      throw new NotSendableException(String.valueOf(e.getMessage()));
    }
    if (edited.role() != null) {
      request.setHeader(AUTHORIZATION, "Bearer " + tokens.of(edited.role()));
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
