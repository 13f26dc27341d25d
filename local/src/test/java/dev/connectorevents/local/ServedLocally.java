package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Fixtures;
import dev.connectorevents.local.contract.Traffic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The service in this process, started by the code of {@code local/serve}. Does not throttle,
 * hashes passwords at a low cost, and keeps what {@code local/serve} would print.
 */
public final class ServedLocally implements AutoCloseable {

  static final Path TEMPLATE = Path.of("../template.yaml");
  public static final String EMAIL = "shop@example.com";
  public static final String PASSWORD = "correct horse battery staple";
  static final Map<String, String> USER =
      Map.of("CONNECTOR_API_EMAIL", EMAIL, "CONNECTOR_API_PASSWORD", PASSWORD);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final Emulator service;
  private final String greeting;

  public static ServedLocally start() {
    return startOn(0);
  }

  /**
   * Starts the service on a port.
   *
   * @param port 0 for any free port
   */
  public static ServedLocally startOn(int port) {
    return new ServedLocally(port, false);
  }

  /** Starts the service as {@code local/serve --log json} does. */
  public static ServedLocally startWithJsonLog() {
    return new ServedLocally(0, true);
  }

  private ServedLocally(int port, boolean isLogJson) {
    EmulatorOptions options =
        new EmulatorOptions(
                CheapHashes.allowedIn(TEMPLATE), port, Optional.empty(), CheapHashes.PARAMETERS)
            .observed(Traffic.RECORDED)
            .unthrottled();
    try {
      PrintStream stream = new PrintStream(output, true, UTF_8);
      service = Serve.start(options, USER, stream, isLogJson);
      greeting = output.toString(UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the service printed when it started. */
  String greeting() {
    return greeting;
  }

  public Emulator service() {
    return service;
  }

  public URI url() {
    return service.baseUrl();
  }

  public URI url(String path) {
    return URI.create(service.baseUrl() + path);
  }

  /** Runs the work and returns the lines that the service prints meanwhile. */
  public List<String> printedBy(Runnable work) {
    output.reset();
    work.run();
    return output.toString(UTF_8).lines().toList();
  }

  public HttpResponse<String> get(String path) {
    return Fixtures.send(HttpRequest.newBuilder(url(path)));
  }

  public JsonNode json(String path) {
    return read(get(path).body());
  }

  /**
   * Sends a request.
   *
   * @param headers names and values, alternating
   */
  public HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url(path)).method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return Fixtures.send(request);
  }

  /** Sends an event with the token, and returns API Gateway's id of the request. */
  public String sendEvent(String token, String body, String... headers) {
    return post("/api/webhook-events", token, body, headers);
  }

  /**
   * Sends a batch with the token, and returns API Gateway's id of the request.
   *
   * @param events the events in JSON, separated by commas
   */
  public String sendBatch(String token, String events) {
    return post("/api/webhook-events/batch", token, "{\"events\":[" + events + "]}");
  }

  private String post(String path, String token, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url(path))
            .POST(BodyPublishers.ofString(body))
            .setHeader("Authorization", "Bearer " + token)
            .setHeader("Content-Type", "application/json");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return Fixtures.send(request).headers().firstValue("apigw-requestid").orElseThrow();
  }

  public HttpResponse<String> login(String password) {
    String body = JSON.createObjectNode().put("email", EMAIL).put("password", password).toString();
    return send("POST", "/api/auth/login", body, "Content-Type", "application/json");
  }

  public String token() {
    return read(login(PASSWORD).body()).path("access_token").asText();
  }

  public JsonNode manageUsers(String action) {
    return manageUsers(action, EMAIL);
  }

  public JsonNode manageUsers(String action, String email) {
    String event = JSON.createObjectNode().put("action", action).put("email", email).toString();
    return read(
        send("POST", "/2015-03-31/functions/ManageUsersFunction/invocations", event).body());
  }

  public static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    service.close();
  }

  /** A free port. The next two ports are also free: DynamoDB and Secrets Manager use them. */
  public static int freePort() throws IOException {
    while (true) {
      try (ServerSocket api = new ServerSocket(0);
          ServerSocket _ = new ServerSocket(api.getLocalPort() + 1);
          ServerSocket _ = new ServerSocket(api.getLocalPort() + 2)) {
        return api.getLocalPort();
      } catch (IOException | IllegalArgumentException e) {
        // One of the three ports is taken or too large: try others.
      }
    }
  }
}
