package dev.connectorevents.acceptance.wrongrequests;

import static dev.connectorevents.acceptance.wrongrequests.WrongRequest.TOKEN;
import static dev.connectorevents.acceptance.wrongrequests.WrongRequests.COMPLETE;
import static dev.connectorevents.acceptance.wrongrequests.WrongRequests.EVENTS;

import java.util.stream.Stream;

/** Mistakes in logins and with tokens. */
final class WrongCredentials {

  private static final String LOGIN = "POST /api/auth/login";
  private static final String REFRESH = "POST /api/auth/refresh";
  private static final String MISSING = "401 missing_token Send Authorization: Bearer <token>.";
  private static final String INVALID =
      "401 invalid_token The token is incomplete, changed or not from this service. Send"
          + " access_token as it was received, or log in again.";

  private WrongCredentials() {}

  static Stream<WrongRequest> all(String connector, String consumer) {
    return Stream.concat(logins(), tokens(connector, consumer));
  }

  private static Stream<WrongRequest> logins() {
    return Stream.of(
        new WrongRequest(
            "an empty login",
            LOGIN,
            "",
            "400 malformed_json The body is empty. It must be one JSON object, as in {\"email\": …, \"password\": …}."),
        new WrongRequest(
            "username for email",
            LOGIN,
            "{\"username\":\"a@b.example\",\"password\":\"x\"}",
            "422 validation_failed /email required: an e-mail address, as in shop@example.com,"
                + " of at most 254 characters"),
        new WrongRequest(
            "no password",
            LOGIN,
            "{\"email\":\"a@b.example\"}",
            "422 validation_failed /password required: a string"),
        new WrongRequest(
                "a login as a form",
                LOGIN,
                "email=a%40b.example&password=x",
                "415 unsupported_media_type " + WrongBodies.MEDIA_TYPE)
            .with("Content-Type", "application/x-www-form-urlencoded"),
        new WrongRequest(
            "a login as Python prints it",
            LOGIN,
            "{'email': 'a@b.example', 'password': 'x'}",
            "400 malformed_json " + WrongBodies.notJson("line 1, column 2")),
        new WrongRequest(
            "a password that was read with its line break",
            LOGIN,
            "{\"email\":\"a@b.example\",\"password\":\"x\\n\"}",
            "401 invalid_credentials No user has this e-mail address and password. The password ends in"
                + " a line break: send it without."));
  }

  private static Stream<WrongRequest> tokens(String connector, String consumer) {
    return Stream.of(
        new WrongRequest("an API key", "GET /api/auth/me", "", MISSING)
            .with("X-Api-Key", connector),
        new WrongRequest(
            "a token in the body", REFRESH, "{\"token\":\"" + connector + "\"}", MISSING),
        token(
            "nothing after Bearer",
            "Bearer ",
            "401 missing_token No token follows Bearer: a variable has no value. Log in, and send"
                + " access_token."),
        token(
                "two headers Authorization",
                "Bearer " + connector,
                "401 invalid_token The header Authorization is there twice: send it once.")
            .with(TOKEN, "Bearer " + connector),
        token("the token alone", connector, MISSING),
        token("Basic for Bearer", "Basic " + connector, MISSING),
        token(
            "Bearer twice",
            "Bearer bearer " + connector,
            "401 invalid_token The token begins with Bearer again: send that word once, as in Authorization: Bearer <token>."),
        token(
            "a token in quotes",
            "Bearer \"" + connector + "\"",
            "401 invalid_token The token is in quotes: send it without them."),
        token(
            "a variable that is not set",
            "Bearer undefined",
            "401 invalid_token The token is the word undefined, null or None: a variable has no"
                + " value. Log in, and send access_token."),
        token("a cut token", "Bearer " + connector.substring(0, 40), INVALID),
        token(
            "a consumer that sends",
            "Bearer " + consumer,
            "403 forbidden POST /api/webhook-events is for the role connector, but the user's role is"
                + " consumer."),
        new WrongRequest(
                "a connector that reads",
                "GET /api/webhook-events?brand_id=b",
                "",
                "403 forbidden GET /api/webhook-events is for the role consumer, but the user's role is"
                    + " connector.")
            .with(TOKEN, "Bearer " + connector),
        new WrongRequest(
                "a connector that reads one event, or sends GET for POST on /batch",
                "GET /api/webhook-events/019aa1f0-2c3b-7d4e-8f50-a1b2c3d4e5f6",
                "",
                "403 forbidden GET /api/webhook-events/{id} is for the role consumer, but the user's"
                    + " role is connector.")
            .with(TOKEN, "Bearer " + connector),
        new WrongRequest(
                "a refresh of a static token",
                REFRESH,
                "",
                "401 invalid_token A static token cannot be refreshed: use it until it expires, then ask an operator for a new one.")
            .with(TOKEN, "Bearer " + consumer));
  }

  private static WrongRequest token(String what, String header, String answer) {
    return new WrongRequest(what, EVENTS, COMPLETE, answer).with(TOKEN, header);
  }
}
