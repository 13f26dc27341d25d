package dev.connectorevents.acceptance.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.function.Supplier;

/** An HTTP client of the API. */
public final class ApiClient implements AutoCloseable {

  /** The path of the events. */
  public static final String EVENTS = "/api/webhook-events";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Supplier<URI> service;
  private final HttpClient http;

  /**
   * @param service returns the URL of the service, which changes at each restart
   */
  ApiClient(Supplier<URI> service) {
    this.service = service;
    http = HttpClient.newHttpClient();
  }

  /** A client that connects from this address, which must be a loopback address. */
  ApiClient(String address, Supplier<URI> service) {
    this.service = service;
    http = HttpClient.newBuilder().localAddress(InetAddress.ofLiteral(address)).build();
  }

  /**
   * An answer of the service.
   *
   * @param body the parsed JSON; a missing node if the answer has no JSON
   */
  public record Answer(int status, HttpResponse<byte[]> response, JsonNode body) {

    public String text() {
      return new String(response.body(), UTF_8);
    }

    public String code() {
      return body.path("code").asText();
    }

    public String accessToken() {
      return body.path("access_token").asText();
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  public Answer login(String email, String password) {
    String body = JSON.createObjectNode().put("email", email).put("password", password).toString();
    return post("/api/auth/login", body);
  }

  /** Logs in as the user of {@link World}, and returns the access token. */
  public String token() {
    return login(World.EMAIL, World.PASSWORD).body().get("access_token").textValue();
  }

  public Answer get(String path, String token) {
    return send("GET", path, BodyPublishers.noBody(), "Authorization", "Bearer " + token);
  }

  public Answer post(String path, String body, String token) {
    return post(path, body, "Authorization", "Bearer " + token);
  }

  public Answer post(String path, String body, String... headers) {
    return send("POST", path, BodyPublishers.ofString(body), headers);
  }

  public Answer post(String path, byte[] body, String... headers) {
    return send("POST", path, BodyPublishers.ofByteArray(body), headers);
  }

  /**
   * Sends a request.
   *
   * @param headers a name, its value, the next name, its value, and so on
   */
  public Answer send(String method, String path, BodyPublisher body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(service.get() + path)).method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response, json(response.body()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Parses a body. Returns a missing node if the body is not JSON: it may be compressed. */
  private static JsonNode json(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
