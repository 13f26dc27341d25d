package dev.connectorevents.acceptance.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.awscalls.AnswerDroppingProxy;
import dev.connectorevents.dynamodb.DynamoUsers;
import dev.connectorevents.dynamodb.ReadBack;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.lambda.LocalFunction;
import dev.connectorevents.local.contract.Traffic;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/** The whole service with a user, as a connector sees it: over HTTP. */
public final class RunningService implements AutoCloseable {

  public static final Path TEMPLATE = Path.of("../template.yaml");

  public static final String EMAIL = "connector@example.com";
  public static final String PASSWORD = "correct horse battery staple";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final Emulator service;

  /** The cheapest that the template allows. */
  private static final int BCRYPT_COST = 10;

  /** On the endpoint that the tests run against, without the template's limits. */
  public static RunningService start() {
    return start(Map.of());
  }

  /** As {@link #start()}, with values for parameters of the template. */
  public static RunningService start(Map<String, String> parameters) {
    return new RunningService(
        Endpoint.options(TEMPLATE, withCost(parameters)).unthrottled());
  }

  /** As {@link #start()}; the consumer receives the functions' log lines. */
  public static RunningService logging(Consumer<String> log) {
    return new RunningService(
        Endpoint.options(TEMPLATE, withCost(Map.of())).unthrottled().logged(log));
  }

  /** As {@link #start(Map)}, but with DynamoDB and Secrets Manager always in this process. */
  public static RunningService inProcess(Path template, Map<String, String> parameters) {
    return new RunningService(
        new EmulatorOptions(template, 0, Optional.empty(), withCost(parameters)).unthrottled());
  }

  /** With the template's limits. The others let a test send as fast as it can. */
  public static RunningService throttled(Map<String, String> parameters) {
    return new RunningService(Endpoint.options(TEMPLATE, withCost(parameters)));
  }

  private RunningService(EmulatorOptions options) {
    service = Endpoint.start(options.observed(Traffic.RECORDED));
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    PasswordHash hash = PasswordHash.of(PASSWORD, BCRYPT_COST);
    new DynamoUsers(service.dynamoDb(), service.name("UsersTable"))
        .create(
            new User(
                UUID.randomUUID(),
                new Email(EMAIL),
                null,
                UserState.ACTIVE,
                Role.CONNECTOR,
                now,
                now),
            hash);
  }

  private static Map<String, String> withCost(Map<String, String> parameters) {
    Map<String, String> all = new HashMap<>(parameters);
    all.putIfAbsent("BcryptCost", Integer.toString(BCRYPT_COST));
    return all;
  }

  /** What the service answered. */
  public record Answer(int status, HttpResponse<byte[]> response, JsonNode body) {

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
    return login(client, email, password);
  }

  /** A client with an address of its own, which must be one of the loopback interface. */
  public static HttpClient clientAt(String address) {
    return HttpClient.newBuilder().localAddress(InetAddress.ofLiteral(address)).build();
  }

  public Answer login(HttpClient client, String email, String password) {
    return send(client, "POST", "/api/auth/login", BodyPublishers.ofString(body(email, password)));
  }

  private static String body(String email, String password) {
    return JSON.createObjectNode().put("email", email).put("password", password).toString();
  }

  public String token() {
    return login(EMAIL, PASSWORD).body().get("access_token").textValue();
  }

  /** A static token of a user who reads events. */
  public String consumerToken() {
    String event = "{\"action\":\"%s\",\"email\":\"consumer@example.com\",\"role\":\"consumer\"}";
    invoke("ManageUsersFunction", event.formatted("create"));
    return invoke("ManageUsersFunction", event.formatted("issue-static-token"))
        .at("/token/access_token")
        .asText();
  }

  public Answer get(String path, String token) {
    return send("GET", path, BodyPublishers.noBody(), "Authorization", "Bearer " + token);
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
   * @param headers names and values in turn
   */
  public Answer send(String method, String path, BodyPublisher body, String... headers) {
    return send(client, method, path, body, headers);
  }

  private Answer send(
      HttpClient client, String method, String path, BodyPublisher body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(service.baseUrl() + path)).method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response, json(response.body()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A body may be compressed, or empty. */
  private static JsonNode json(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  /** What an operator's function answers to an event, however it went. */
  public JsonNode invoke(String function, String event) {
    return post("/2015-03-31/functions/" + function + "/invocations", event).body();
  }

  /** As an operator manages the users. */
  public JsonNode manageUsers(String action, String email) {
    String event = JSON.createObjectNode().put("action", action).put("email", email).toString();
    return invoke("ManageUsersFunction", event);
  }

  /**
   * Rotates the signing key. One cannot call functions of this machine from another process: there
   * the steps are called from here, on a version that is pending as Secrets Manager makes it.
   */
  public String rotate(SecretsManagerClient secrets) {
    String secret = name("SigningKeySecret");
    if (!Endpoint.isGiven()) {
      return secrets.rotateSecret(rotate -> rotate.secretId(secret)).versionId();
    }
    String version = UUID.randomUUID().toString();
    String key =
        secrets
            .getRandomPassword(random -> random.passwordLength(64L).excludePunctuation(true))
            .randomPassword();
    secrets.putSecretValue(put ->
        put.secretId(secret)
            .clientRequestToken(version)
            .secretString(key)
            .versionStages("AWSPENDING"));
    for (String step : List.of("createSecret", "setSecret", "testSecret", "finishSecret")) {
      ObjectNode event = JSON.createObjectNode().put("Step", step).put("SecretId", secret);
      JsonNode answer =
          invoke("RotateSigningKeyFunction", event.put("ClientRequestToken", version).toString());
      if (answer.has("errorMessage")) {
        throw new IllegalStateException(step + ": " + answer);
      }
    }
    return version;
  }

  /** A function of the template, started once more and led to DynamoDB through the proxy. */
  public LocalFunction functionBehind(AnswerDroppingProxy proxy, String id) {
    System.setProperty("aws.endpointUrlDynamoDb", proxy.endpoint().toString());
    return LocalFunction.start(
        service.template().functions().stream()
            .filter(function -> function.id().equals(id))
            .findFirst()
            .orElseThrow(),
        Map.of(),
        line -> {});
  }

  /** What a table or a secret of the template is called where it is. */
  public String name(String logicalId) {
    return service.name(logicalId);
  }

  /** The payload as a consumer reads it. */
  public byte[] payload(String id) {
    return ReadBack.read(service.dynamoDb(), service.name("EventsTable"), id);
  }

  /** How many events are stored, without the items that continue a payload. */
  public long countEvents() {
    return service
        .dynamoDb()
        .scanPaginator(scan ->
            scan.tableName(name("EventsTable"))
                .filterExpression("attribute_exists(event_type_key)")
                .projectionExpression("id"))
        .items()
        .stream()
        .count();
  }

  public Emulator service() {
    return service;
  }

  @Override
  public void close() {
    service.close();
    client.close();
  }
}
