package dev.connectorevents.acceptance.service;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The routes of the API: who may call each, and a request that succeeds. Tests of every route walk
 * this list.
 */
public enum Routes {
  LOGIN("LoginFunction", Caller.ANYBODY, "login", 200),
  REFRESH("RefreshFunction", Caller.USER, "refresh", 200),
  ME("MeFunction", Caller.USER, "me", 200),
  CREATE_EVENT("CreateEventFunction", Caller.CONNECTOR, "create-webhook-event.shopify", 201),
  CREATE_BATCH("CreateBatchFunction", Caller.CONNECTOR, "create-webhook-event-batch", 200),
  FIND_MISSING("FindMissingFunction", Caller.CONNECTOR, "find-missing-webhook-events", 200),
  LIST_EVENTS("ListEventsFunction", Caller.CONSUMER, "list-webhook-events", 200),
  READ_EVENT("ReadEventFunction", Caller.CONSUMER, "read-webhook-event", 200),
  READ_PAYLOAD("ReadEventFunction", Caller.CONSUMER, "read-webhook-event-payload", 200);

  /** Who may call a route. */
  public enum Caller {
    ANYBODY,
    USER,
    CONNECTOR,
    CONSUMER
  }

  private final String function;
  private final Caller caller;
  private final String file;
  private final int success;

  Routes(String function, Caller caller, String file, int success) {
    this.function = function;
    this.caller = caller;
    this.file = file;
    this.success = success;
  }

  private ObjectNode event() {
    try {
      return (ObjectNode)
          new ObjectMapper().readTree(Path.of("../events", file + ".json").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The routes that need a token. */
  public static List<Routes> guarded() {
    return Arrays.stream(values()).filter(each -> each.caller != Caller.ANYBODY).toList();
  }

  public static Routes of(String key) {
    return Arrays.stream(values()).filter(each -> each.key().equals(key)).findFirst().orElseThrow();
  }

  public String function() {
    return function;
  }

  /** Such as {@code GET /api/webhook-events/{id}}. */
  public String key() {
    return event().get("routeKey").textValue();
  }

  public String method() {
    return event().at("/requestContext/http/method").textValue();
  }

  public int success() {
    return success;
  }

  /** The role of those who may call this route; empty if a user of any role may, or anybody. */
  public Optional<Role> role() {
    return switch (caller) {
      case ANYBODY, USER -> Optional.empty();
      case CONNECTOR -> Optional.of(Role.CONNECTOR);
      case CONSUMER -> Optional.of(Role.CONSUMER);
    };
  }

  /** A token of a user who may call this route; empty if anybody may. */
  public String token(World world) {
    return switch (caller) {
      case ANYBODY -> "";
      case USER, CONNECTOR -> world.client().token();
      case CONSUMER -> world.operator().consumerToken();
    };
  }

  /**
   * API Gateway's event for a request that succeeds.
   *
   * @param id of a stored event, for a route that reads one
   */
  public ObjectNode event(String token, String id) {
    ObjectNode sent = event();
    if (caller != Caller.ANYBODY) {
      ((ObjectNode) sent.get("headers")).put("authorization", "Bearer " + token);
    }
    if (sent.get("pathParameters") instanceof ObjectNode parameters) {
      parameters.put("id", id);
      sent.put("rawPath", path(id));
    }
    return sent;
  }

  /** Calls a route with this token. A route that reads an event gets an id that no event has. */
  public Answer send(World world, String token) {
    BodyPublisher body = BodyPublishers.ofString(body());
    String bearer = "Bearer " + token;
    return world.client().send(method(), path("no-id") + query(), body, "Authorization", bearer);
  }

  /** The path of a request, with this id if the route has one. */
  public String path(String id) {
    return key().substring(method().length() + 1).replace("{id}", id);
  }

  /** The body of a request that succeeds; empty if the route takes none. */
  public String body() {
    return event().path("body").asText();
  }

  /** The query of a request that succeeds, with its question mark; empty if there is none. */
  public String query() {
    String query = event().path("rawQueryString").asText();
    return query.isEmpty() ? "" : "?" + query;
  }
}
