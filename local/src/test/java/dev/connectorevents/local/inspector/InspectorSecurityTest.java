package dev.connectorevents.local.inspector;

import static dev.connectorevents.local.inspector.InspectedService.order;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.SharedService;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The inspector serves no files but its own, and keeps no password and no token. */
@ResourceLock(SharedService.LOCK)
class InspectorSecurityTest {

  @RegisterExtension private static final InspectedService inspector = new InspectedService();

  private final ServedLocally service = inspector.service();

  @ParameterizedTest
  @CsvSource({
    "/_inspector/, text/html, <title>Connector Events",
    "/_inspector/requests.js, text/javascript, EventSource",
    "/_inspector/stored, text/html, <title>Connector Events",
    "/_inspector/stored.js, text/javascript, include",
    "/_inspector/editor.js, text/javascript, X-Inspector-Nonce",
    "/_inspector/lit-html/lit-html.js, text/javascript, BSD-3-Clause",
    "/_inspector/pico.fluid.classless.min.css, text/css, Pico CSS",
  })
  void its_files_are_served_under_a_strict_policy(String path, String type, String content) {
    HttpResponse<String> answer = service.get(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type").orElseThrow()).startsWith(type);
    assertThat(answer.headers().firstValue("content-security-policy").orElseThrow())
        .startsWith("default-src 'none'")
        .doesNotContain("unsafe");
    assertThat(answer.body()).contains(content).doesNotContain("{{");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /_inspector, 302",
    "GET, /_inspector/none, 404",
    "GET, /_inspector/requests/none, 404",
    "GET, /_inspector/Inspector.class, 404",
    "GET, /_inspector/events/../users, 404",
    "GET, /_inspector/events/0/payload, 404",
    "GET, /_inspector/events/00000000-0000-0000-0000-000000000000, 404",
    "GET, /_inspector/events?limit=0, 422",
    "POST, /_inspector/events, 405",
    "DELETE, /_inspector/, 405",
    "POST, /_inspector/, 405",
  })
  void nothing_else_is_served(String method, String path, int status) {
    assertThat(service.send(method, path, "").statusCode()).isEqualTo(status);
  }

  @Test
  void no_password_and_no_token_of_a_stored_event_is_shown() {
    String token = inspector.token();
    String request =
        inspector.sendEvent(order("{\"api_key\":\"of-nobody\",\"note\":\"%s\"}".formatted(token)));
    String id = inspector.shown(request).at("/row/outcome/eventId").asText();

    assertThat(service.get("/_inspector/events/" + id).body())
        .contains("api_key", "note")
        .doesNotContain("of-nobody", token);
  }

  @Test
  void no_password_and_no_token_is_kept() throws IOException {
    String secret = "hunter22-of-nobody";
    String token = inspector.token();
    service.login(secret);
    service.login(ServedLocally.PASSWORD);
    service.send("POST", "/api/auth/login?password=" + secret, "password=" + secret);
    service.send("POST", "/api/auth/refresh", "", "Authorization", "Bearer " + token);
    service.send("POST", "/api/none", "{\"password\":\"" + secret, "Cookie", "a=" + secret);

    inspector.sendEvent(order("{}"), "Idempotency-Key", token);
    inspector.sendEvent("{\"event_type\":\"" + token + "\",\"" + token + "\":1}");
    service.get("/api/" + token);

    assertThat(inspector.rows()).hasSizeGreaterThan(7);
    for (JsonNode row : inspector.rows()) {
      String id = row.at("/exchange/id").asText();
      assertThat(row + service.get("/_inspector/requests/" + id).body())
          .doesNotContain(secret, ServedLocally.PASSWORD, token, "eyJ");
    }
  }
}
