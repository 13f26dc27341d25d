package dev.connectorevents.local;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.connectorevents.Version;
import dev.connectorevents.emulator.Emulator;
import java.net.URI;
import java.util.stream.Collectors;

/** Tells the user how to log in, post an event and look inside. */
record Greeting(Emulator service, FirstUser.Credentials credentials) {

  String text() {
    URI url = service.baseUrl();
    return """

    Connector Events %s is at %s

      e-mail    %s
      password  %s
    %s
    Log in:
      %s

    Post an event:
      TOKEN=$(%s | sed -E 's/.*"access_token" *: *"([^"]*)".*/\\1/')
      curl -si %s/api/webhook-events -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -H 'Idempotency-Key: first' -d '{"event_type":"shopify.orders/create","payload":{"id":1}}'

    Create a user that reads events, from another terminal:
      operate/user --port %d create reader@example.com --role consumer

    In a browser:
      %s/_inspector   requests as they arrive, to edit and send again; the stored events
      %s/docs         the API, to read and try

    Look inside, from another terminal:
    %s  aws dynamodb scan --table-name %s

    Ctrl-C stops it.
    """
        .formatted(
            Version.CURRENT,
            url,
            credentials.email(),
            credentials.password().orElse("(known only to whoever set it)"),
            credentials.remark().map(remark -> "\n  Note: " + remark + ".\n").orElse(""),
            loginCommand(url),
            loginCommand(url),
            url,
            url.getPort(),
            url,
            url,
            exports(),
            service.name("EventsTable"));
  }

  private String loginCommand(URI url) {
    String body =
        JsonNodeFactory.instance
            .objectNode()
            .put("email", credentials.email().value())
            .put("password", credentials.password().orElse("…"))
            .toString()
            // A quote ends the shell's quoting: close the quoting, add a quote, reopen it.
            .replace("'", "'\\''");
    return "curl -s %s/api/auth/login -H 'Content-Type: application/json' -d '%s'"
        .formatted(url, body);
  }

  private String exports() {
    return service.environment().entrySet().stream()
        .map(variable -> "  export %s=%s%n".formatted(variable.getKey(), variable.getValue()))
        .collect(Collectors.joining());
  }
}
