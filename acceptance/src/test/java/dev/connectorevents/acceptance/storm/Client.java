package dev.connectorevents.acceptance.storm;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.functions.wiring.Sleep;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Calls the API and the functions for operators. Records each call of the API. */
final class Client implements AutoCloseable {

  /** The timeout of a request: longer than the timeout of any function of the API. */
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  /** The pause after a request that got no answer. */
  private static final Duration BACKOFF = Duration.ofMillis(30);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Supplier<URI> service;
  private final WorldClock time;
  private final CallHistory history;

  /**
   * @param service returns the current URL of the service, which changes at each restart
   */
  Client(Supplier<URI> service, WorldClock time, CallHistory history) {
    this.service = service;
    this.time = time;
    this.history = history;
  }

  Optional<Token> login(Account account) {
    String body =
        "{\"email\":\"%s\",\"password\":\"%s\"}".formatted(account.email(), Account.PASSWORD);
    ClientCall call = send(ClientCall.Route.LOGIN, "", Optional.empty(), account, List.of(), body);
    return call.isOk() ? Optional.of(token(call, account)) : Optional.empty();
  }

  ClientCall post(Token token, Event event, int attempt) {
    String[] key =
        event.key().map(it -> new String[] {"Idempotency-Key", it}).orElseGet(() -> new String[0]);
    return send(ClientCall.Route.EVENT, token, List.of(event), event.body(attempt), key);
  }

  ClientCall post(Token token, List<Event> events, int attempt) {
    List<String> members = events.stream().map(event -> event.inBatch(attempt)).toList();
    String body = "{\"events\":[" + String.join(",", members) + "]}";
    return send(ClientCall.Route.BATCH, token, events, body);
  }

  /** Reads the payload of an event that the service acknowledged with this id. */
  ClientCall read(Token token, Event event, String id) {
    return send(
        ClientCall.Route.READ,
        id + "/payload",
        Optional.of(token),
        token.account(),
        List.of(event),
        "");
  }

  ClientCall list(Token token, String query) {
    return send(ClientCall.Route.LIST, query, Optional.of(token), token.account(), List.of(), "");
  }

  /** Calls a function for operators. Empty if it failed or did not answer. */
  Optional<JsonNode> invoke(String function, String event) {
    URI uri = URI.create(service.get() + "/2015-03-31/functions/" + function + "/invocations");
    HttpRequest request =
        HttpRequest.newBuilder(uri).timeout(PATIENCE).POST(BodyPublishers.ofString(event)).build();
    return answer(request)
        .filter(answer -> answer.headers().firstValue("x-amz-function-error").isEmpty())
        .map(answer -> json(answer.body()));
  }

  private ClientCall send(
      ClientCall.Route route, Token token, List<Event> events, String body, String... headers) {
    return send(route, "", Optional.of(token), token.account(), events, body, headers);
  }

  private ClientCall send(
      ClientCall.Route route,
      String rest,
      Optional<Token> token,
      Account account,
      List<Event> events,
      String body,
      String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(service.get() + route.path + rest))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .method(
                route.method,
                body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    token.ifPresent(it -> request.header("Authorization", "Bearer " + it.text()));
    if (headers.length > 0) {
      request.headers(headers);
    }
    Stopwatch watch = Stopwatch.start(time);
    Optional<HttpResponse<byte[]>> answer = answer(request.build());
    return history.add(
        new ClientCall(
            route,
            rest,
            token,
            account,
            events,
            watch.stop(),
            answer.map(HttpResponse::statusCode).orElse(0),
            answer.map(Client::headers).orElse(Map.of()),
            answer.map(it -> new String(it.body(), UTF_8)).orElse("")));
  }

  private Optional<HttpResponse<byte[]>> answer(HttpRequest request) {
    try {
      return Optional.of(http.send(request, BodyHandlers.ofByteArray()));
    } catch (IOException e) {
      Sleep.of(BACKOFF);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Token token(ClientCall call, Account account) {
    return new Token(json(call.body().getBytes(UTF_8)).get("access_token").textValue(), account);
  }

  private static Map<String, String> headers(HttpResponse<byte[]> answer) {
    Map<String, String> headers = new LinkedHashMap<>();
    answer
        .headers()
        .map()
        .forEach((name, values) ->
            headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
    return headers;
  }

  static JsonNode json(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new IllegalStateException(new String(body, UTF_8), e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
