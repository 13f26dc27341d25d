package dev.connectorevents.bench.logins;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Logs in with a wrong password, each time from another source, so that it never has to wait. */
final class Guesser implements AutoCloseable {

  /** The user whose password it guesses at. */
  static final String KNOWN = "user@example.com";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI service;
  private int sources;

  /** Begins by creating that user. */
  Guesser(URI service) throws IOException {
    this.service = service;
    ObjectNode create = JSON.createObjectNode().put("action", "create").put("email", KNOWN);
    if (!invoke("ManageUsersFunction", create).has("user")) {
      throw new IllegalStateException("the user was not created");
    }
  }

  /** How long the answer took that it was wrong. */
  Duration guess(String email) throws IOException {
    ObjectNode event = login(email);
    long start = System.nanoTime();
    JsonNode answer = invoke("LoginFunction", event);
    Duration taken = Duration.ofNanos(System.nanoTime() - start);
    if (answer.path("statusCode").asInt() != 401) {
      throw new IllegalStateException("a login was answered " + answer);
    }
    return taken;
  }

  /** As API Gateway hands it on, of a source that no other login comes from. */
  private ObjectNode login(String email) {
    ObjectNode event = JSON.createObjectNode().put("routeKey", "POST /api/auth/login");
    ObjectNode body = JSON.createObjectNode().put("email", email).put("password", "a guess");
    event.put("body", body.toString());
    ObjectNode context = event.putObject("requestContext").put("requestId", "bench");
    context.putObject("http").put("sourceIp", "198.51.100." + sources++);
    return event;
  }

  private JsonNode invoke(String function, ObjectNode event) throws IOException {
    URI uri = service.resolve("/2015-03-31/functions/" + function + "/invocations");
    HttpRequest request =
        HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(event.toString())).build();
    try {
      return JSON.readTree(client.send(request, BodyHandlers.ofByteArray()).body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped while it waited", e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
