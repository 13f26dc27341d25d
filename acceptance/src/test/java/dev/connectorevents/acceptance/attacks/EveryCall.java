package dev.connectorevents.acceptance.attacks;

import static dev.connectorevents.acceptance.attacks.Secrecy.CHOSEN_PASSWORD;
import static dev.connectorevents.acceptance.attacks.Secrecy.PAYLOAD;
import static dev.connectorevents.acceptance.attacks.Secrecy.SHORT_PASSWORD;
import static dev.connectorevents.acceptance.attacks.Secrecy.WRONG_PASSWORD;
import static dev.connectorevents.acceptance.service.RunningService.EMAIL;
import static dev.connectorevents.acceptance.service.RunningService.PASSWORD;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;

/**
 * Calls every route and every operator's action, with valid and invalid requests. Most of the
 * requests carry a secret.
 */
final class EveryCall {

  private static final List<String> LOGINS =
      List.of(
          "{\"email\":\"" + EMAIL + "\",\"password\":\"" + PASSWORD + "\"}",
          "{\"email\":\"" + EMAIL + "\",\"password\":\"" + WRONG_PASSWORD + "\"}",
          "{\"email\":\"nobody@example.com\",\"password\":\"" + PASSWORD + "\"}",
          "{\"email\":\"" + PASSWORD + "\",\"password\":\"" + EMAIL + "\"}",
          "{\"email\":\"" + EMAIL + "\",\"password\":[\"" + WRONG_PASSWORD + "\"]}",
          "{\"email\":\"" + EMAIL + "\",\"password\":" + WRONG_PASSWORD + "}",
          "{\"email\":\"" + EMAIL + "\",\"password\":\"" + WRONG_PASSWORD,
          "{\"password\":\"x\",\"password\":\"" + WRONG_PASSWORD + "\"}",
          WRONG_PASSWORD);

  private static final List<String> EVENTS =
      List.of(
          "{\"event_type\":\"a.b\",\"payload\":{\"a\":\"" + PAYLOAD + "\"}}",
          "{\"event_type\":\"a.b\",\"payload\":{\"b\":\"" + PAYLOAD + "\"}}",
          "{\"event_type\":\"a.b\",\"payload\":[\"" + PAYLOAD + "\"]}",
          "{\"event_type\":\"a.b\",\"payload\":{\"a\":" + PAYLOAD + "}}",
          "{\"event_type\":\"a.b\",\"payload\":{\"a\":\"" + PAYLOAD,
          "{\"event_type\":\"a.b\",\"payload\":{\"_meta\":\"" + PAYLOAD + "\"}}",
          "{\"event_type\":\"a.b\",\"payload\":{\"_meta\":{\"source\":\"" + PAYLOAD + "\"}}}",
          "{\"event_type\":\"a.b\",\"payload\":{\"_meta\":{\"a\":\"\",\"a\":\"" + PAYLOAD + "\"}}}",
          "{\"event_type\":\"%1$s\",\"payload\":{},\"attempts\":\"%1$s\",\"sent_at\":\"%1$s\"}"
              .formatted(PAYLOAD));

  private static final List<String> ACTIONS =
      List.of(
          "{\"action\":\"create\",\"email\":\"a@example.com\"}",
          "{\"action\":\"create\",\"email\":\"b@example.com\",\"password\":\""
              + CHOSEN_PASSWORD
              + "\"}",
          "{\"action\":\"create\",\"email\":\"b@example.com\",\"password\":\""
              + CHOSEN_PASSWORD
              + "\"}",
          "{\"action\":\"create\",\"email\":\"c@example.com\",\"password\":\""
              + SHORT_PASSWORD
              + "\"}",
          "{\"action\":\"create\",\"email\":\"c@example.com\",\"password\":[\""
              + SHORT_PASSWORD
              + "\"]}",
          "{\"action\":\"" + CHOSEN_PASSWORD + "\",\"email\":\"" + CHOSEN_PASSWORD + "\"}",
          "{\"action\":\"show\",\"email\":\"b@example.com\",\"password\":\""
              + CHOSEN_PASSWORD
              + "\"}",
          "{\"action\":\"reset-password\",\"email\":\"a@example.com\"}",
          "{\"action\":\"reset-password\",\"email\":\"b@example.com\",\"password\":\""
              + CHOSEN_PASSWORD
              + "\"}",
          "{\"action\":\"list\"}",
          "{\"action\":\"list\",\"next\":\"" + CHOSEN_PASSWORD + "\"}",
          "{\"action\":\"issue-static-token\",\"email\":\"b@example.com\"}",
          "{\"action\":\"revoke-tokens\",\"email\":\"b@example.com\"}",
          "{\"action\":\"disable\",\"email\":\"b@example.com\"}",
          "{\"action\":\"enable\",\"email\":\"b@example.com\"}",
          "{\"password\":\"" + CHOSEN_PASSWORD + "\",\"password\":\"" + CHOSEN_PASSWORD + "\"}",
          "{\"requestContext\":{},\"body\":\"" + CHOSEN_PASSWORD + "\"}",
          "[\"" + CHOSEN_PASSWORD + "\"]");

  private static final List<String> ERASURES =
      List.of(
          "{\"where\":[{\"pointer\":\"/a\",\"equals\":\"" + PAYLOAD + "\"}],\"dry_run\":true}",
          "{\"brand_id\":\"" + PAYLOAD + "\",\"dry_run\":true}",
          "{\"brand_id\":\"7\",\"reason\":\"" + PAYLOAD + "\"}",
          "{\"ids\":[\""
              + PAYLOAD
              + "\"],\"next\":\""
              + PAYLOAD
              + "\",\"dry_run\":\""
              + PAYLOAD
              + "\"}",
          "{\"where\":[{\"pointer\":\"" + PAYLOAD + "\",\"equals\":[\"" + PAYLOAD + "\"]}]}",
          "{\"show\":\"" + PAYLOAD + "\"}",
          "{\"where\":\"" + PAYLOAD);

  /** Events of the wrong kind for the function that gets them. */
  private static final List<String> MISDIRECTED =
      List.of(
          "[\"" + PAYLOAD + "\"]",
          "\"" + PAYLOAD + "\"",
          "{\"isBase64Encoded\":\"" + PAYLOAD + "\"}",
          "{\"Step\":\"" + PAYLOAD + "\",\"SecretId\":\"" + PAYLOAD + "\"}",
          "{\"Step\":\"createSecret\",\"SecretId\":\""
              + PAYLOAD
              + "\",\"ClientRequestToken\":\"x\"}");

  private final RunningService service;
  private final Secrecy secrecy;
  private final List<String> credentials;

  /**
   * Gets two valid tokens, by a login and from an operator, and derives invalid credentials from
   * them.
   */
  EveryCall(RunningService service, Secrecy secrecy) {
    this.service = service;
    this.secrecy = secrecy;
    String token = secrecy.keepToken(service.client().token());
    String forever =
        service
            .operator()
            .manageUsers("issue-static-token", EMAIL)
            .at("/token/access_token")
            .textValue();
    credentials =
        List.of(
            "Bearer " + token,
            "Bearer " + secrecy.keepToken(forever),
            "Bearer " + secrecy.keepToken(token + "x"),
            "Bearer " + token + " " + token,
            "Token " + token,
            "Basic " + PASSWORD);
  }

  void make() {
    LOGINS.forEach(body -> collect(service.client().post("/api/auth/login", body)));
    collect(
        service.client().post("/api/auth/login", LOGINS.getFirst(), "Content-Type", "text/plain"));
    credentials.forEach(this::use);
    for (String body : EVENTS) {
      collect(
          service
              .client()
              .post(
                  "/api/webhook-events",
                  body,
                  "Authorization",
                  credentials.getFirst(),
                  "Idempotency-Key",
                  "the same"));
    }
    ACTIONS.forEach(event -> invoke("ManageUsersFunction", event));
    ERASURES.forEach(event -> invoke("EraseEventsFunction", event));
    for (String function :
        List.of(
            "LoginFunction",
            "MeFunction",
            "CreateEventFunction",
            "EraseEventsFunction",
            "RotateSigningKeyFunction")) {
      MISDIRECTED.forEach(event -> invoke(function, event));
    }
  }

  private void use(String authorization) {
    String[] header = {"Authorization", authorization};
    String query = "?access_token=" + authorization.replace(' ', '+');
    collect(service.client().send("GET", "/api/auth/me" + query, BodyPublishers.noBody(), header));
    collect(service.client().post("/api/auth/refresh" + query, "", header));
    collect(service.client().post("/api/webhook-events" + query, EVENTS.getFirst(), header));
    collect(service.client().post("/api" + query, "", header));
  }

  private void invoke(String function, String event) {
    collect(service.client().post("/2015-03-31/functions/" + function + "/invocations", event));
  }

  /**
   * Collects an answer. It may contain the new token or the generated password of this call, but no
   * other secret.
   */
  private void collect(Answer answer) {
    String token =
        answer.body().path("access_token").asText(answer.body().at("/token/access_token").asText());
    String password = answer.body().path("password").asText();
    if (!token.isEmpty()) {
      secrecy.keepToken(token);
    }
    // The answer must not repeat a password that the operator chose.
    if (!password.isEmpty() && !password.equals(CHOSEN_PASSWORD)) {
      secrecy.keep(password);
      secrecy.collect(answer, password);
    } else {
      secrecy.collect(answer, token);
    }
  }
}
