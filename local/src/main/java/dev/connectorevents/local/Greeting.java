package dev.connectorevents.local;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URI;

/** What a user reads once the service is up: how to log in, post an event and look inside. */
record Greeting(LocalService service, FirstUser.Credentials credentials) {

  @Override
  public String toString() {
    var url = service.baseUrl();
    return """

    Connector Events is at %s

      e-mail    %s
      password  %s
    %s
    Log in:
      %s

    Post an event:
      TOKEN=$(%s | sed -E 's/.*"access_token" *: *"([^"]*)".*/\\1/')
      curl -si %s/api/webhook-events -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"event_type":"shopify.orders/create","payload":{"id":1}}'

    Look inside, from another terminal:
    %s  aws dynamodb scan --table-name %s

    Ctrl-C stops it.
    """
        .formatted(
            url,
            credentials.email(),
            credentials.password().orElse("(known only to whoever set it)"),
            credentials.remark().map(remark -> "\n  Note: " + remark + ".\n").orElse(""),
            login(url),
            login(url),
            url,
            exports(),
            service.name("EventsTable"));
  }

  private String login(URI url) {
    var body =
        JsonNodeFactory.instance
            .objectNode()
            .put("email", credentials.email().value())
            .put("password", credentials.password().orElse("…"))
            .toString()
            // A quote ends the shell's quoting: close it, write one, open it again.
            .replace("'", "'\\''");
    return "curl -s %s/api/auth/login -H 'Content-Type: application/json' -d '%s'"
        .formatted(url, body);
  }

  private String exports() {
    return """
      export AWS_ENDPOINT_URL_DYNAMODB=%s
      export AWS_ENDPOINT_URL_DYNAMODB_STREAMS=%s
      export AWS_ENDPOINT_URL_SECRETS_MANAGER=%s
      export AWS_ENDPOINT_URL_LAMBDA=%s
      export AWS_REGION=%s AWS_DEFAULT_REGION=%s
      export AWS_ACCESS_KEY_ID=%s AWS_SECRET_ACCESS_KEY=%s
    """
        .formatted(
            service.dynamoDbEndpoint(),
            service.dynamoDbEndpoint(), // which serves its tables' streams as well
            service.secretsManagerEndpoint(),
            service.baseUrl(),
            SdkSettings.REGION,
            SdkSettings.REGION, // which version 1 of the AWS CLI reads
            SdkSettings.KEY,
            SdkSettings.KEY);
  }
}
