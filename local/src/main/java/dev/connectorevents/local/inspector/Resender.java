package dev.connectorevents.local.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.connectorevents.emulator.gateway.Exchange;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.user.Role;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Sends requests to the API for the page, with a token of the right role. */
final class Resender {

  private static final String AUTHORIZATION = "Authorization";
  private static final String OWN = "x-inspector";

  /** Marks the inspector's own reads. No client knows it, so none can hide its requests. */
  private static final String OWN_VALUE = UUID.randomUUID().toString();

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

  /** A request cannot be sent. The message says why, for people. */
  static final class NotSendableException extends Exception {

    private static final long serialVersionUID = 1L;

    NotSendableException(String message) {
      super(message);
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
   * Sends an edited request.
   *
   * @return API Gateway's id of the request
   * @throws NotSendableException if the request did not reach API Gateway
   */
  String send(EditedRequest edited) throws NotSendableException, IOException, InterruptedException {
    HttpResponse<byte[]> answer = sendTwice(edited);
    int status = answer.statusCode();
    return answer
        .headers()
        .firstValue("apigw-requestid")
        .orElseThrow(() ->
            new NotSendableException(
                "API Gateway did not receive the request: status " + status + "."));
  }

  /**
   * Reads what is stored, as a consumer of the inspector's own. It is no request of the user's.
   *
   * @param path with the query
   * @return the answer without its content coding
   */
  HttpAnswer read(String path) throws NotSendableException, IOException, InterruptedException {
    Map<String, String> headers = Map.of(OWN, OWN_VALUE, "Accept-Encoding", "gzip");
    HttpResponse<byte[]> answer =
        sendTwice(new EditedRequest("GET", path, headers, "", Role.CONSUMER));
    InputStream body = new ByteArrayInputStream(answer.body());
    boolean isGzip = answer.headers().firstValue("content-encoding").isPresent();
    try (InputStream text = isGzip ? new GZIPInputStream(body) : body) {
      return HttpAnswer.json(answer.statusCode(), new String(text.readAllBytes(), UTF_8));
    }
  }

  /** Whether this is a request of {@link #read}. */
  static boolean isOwn(Exchange exchange) {
    return OWN_VALUE.equals(exchange.headers().get(OWN));
  }

  /** Sends the request; if the answer is 401, once more with a new token. */
  private HttpResponse<byte[]> sendTwice(EditedRequest edited)
      throws NotSendableException, IOException, InterruptedException {
    HttpResponse<byte[]> answer = sendOnce(edited);
    if (answer.statusCode() == 401 && edited.role() != null) {
      tokens.forget(edited.role()); // it has expired, or was revoked
      answer = sendOnce(edited);
    }
    return answer;
  }

  private HttpResponse<byte[]> sendOnce(EditedRequest edited)
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
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }
}
