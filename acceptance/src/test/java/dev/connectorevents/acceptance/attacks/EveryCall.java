package dev.connectorevents.acceptance.attacks;

import static dev.connectorevents.acceptance.attacks.Secrecy.CHOSEN_PASSWORD;
import static dev.connectorevents.acceptance.attacks.Secrecy.PAYLOAD;
import static dev.connectorevents.acceptance.attacks.Secrecy.SHORT_PASSWORD;
import static dev.connectorevents.acceptance.attacks.Secrecy.WRONG_PASSWORD;
import static dev.connectorevents.acceptance.service.World.EMAIL;
import static dev.connectorevents.acceptance.service.World.PASSWORD;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Routes;
import dev.connectorevents.acceptance.service.World;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.stream.Stream;

/**
 * Calls every route and every operator action, with valid and invalid requests. Most of the
 * requests carry a secret.
 */
final class EveryCall {

  private static final List<String> LOGINS =
      bodies(
          """
          {'email':'EMAIL','password':'PASSWORD'}
          {'email':'EMAIL','password':'WRONG'}
          {'email':'nobody@example.com','password':'PASSWORD'}
          {'email':'PASSWORD','password':'EMAIL'}
          {'email':'EMAIL','password':['WRONG']}
          {'email':'EMAIL','password':WRONG}
          {'email':'EMAIL','password':'WRONG
          {'password':'x','password':'WRONG'}
          WRONG
          """);

  /**
   * Bodies of {@code POST /api/webhook-events}. The first two are valid, and conflict if they are
   * sent under the same {@code Idempotency-Key}.
   */
  private static final List<String> EVENTS =
      bodies(
          """
          {'event_type':'a.b','payload':{'a':'PAYLOAD','_meta':{'brand_id':'7'}}}
          {'event_type':'a.b','payload':{'b':'PAYLOAD'}}
          {'event_type':'a.b','payload':['PAYLOAD']}
          {'event_type':'a.b','payload':{'a':PAYLOAD}}
          {'event_type':'a.b','payload':{'a':'PAYLOAD
          {'event_type':'a.b','payload':{'_meta':'PAYLOAD'}}
          {'event_type':'a.b','payload':{'_meta':{'source':'PAYLOAD'}}}
          {'event_type':'a.b','payload':{'_meta':{'a':'','a':'PAYLOAD'}}}
          {'event_type':'PAYLOAD','payload':{},'attempts':'PAYLOAD','sent_at':'PAYLOAD'}
          """);

  private static final List<String> BATCHES =
      Stream.concat(
              EVENTS.stream().map(event -> "{\"events\":[" + event + "]}"),
              bodies("{'events':'PAYLOAD'}\n['PAYLOAD']").stream())
          .toList();

  private static final List<String> KEYS =
      bodies(
          """
          {'idempotency_keys':['the same']}
          {'idempotency_keys':[['PAYLOAD']]}
          {'idempotency_keys':'PAYLOAD'}
          {'idempotency_keys':['PAYLOAD
          """);

  /** Query strings of {@code GET /api/webhook-events}. */
  private static final List<String> LISTS =
      bodies(
          """
          event_type=a.b&limit=1
          event_type=PAYLOAD
          event_type=a.b&cursor=PAYLOAD
          event_type=a.b&from=PAYLOAD
          event_type=a.b&PAYLOAD=PAYLOAD
          brand_id=7&limit=1
          brand_id=PAYLOAD
          brand_id=7&limit=PAYLOAD
          """);

  private static final List<String> ACTIONS =
      bodies(
          """
          {'action':'create','email':'a@example.com'}
          {'action':'create','email':'b@example.com','password':'CHOSEN'}
          {'action':'create','email':'b@example.com','password':'CHOSEN'}
          {'action':'create','email':'c@example.com','password':'SHORT'}
          {'action':'create','email':'c@example.com','password':['SHORT']}
          {'action':'CHOSEN','email':'CHOSEN'}
          {'action':'show','email':'b@example.com'}
          {'action':'show','email':'b@example.com','password':'CHOSEN'}
          {'action':'reset-password','email':'a@example.com'}
          {'action':'reset-password','email':'b@example.com','password':'CHOSEN'}
          {'action':'set-role','email':'a@example.com','role':'consumer'}
          {'action':'set-role','email':'a@example.com','role':'CHOSEN'}
          {'action':'set-scope','email':'a@example.com','event_types':['a.*']}
          {'action':'set-scope','email':'a@example.com','event_types':['CHOSEN']}
          {'action':'list'}
          {'action':'list','next':'CHOSEN'}
          {'action':'issue-static-token','email':'b@example.com'}
          {'action':'revoke-tokens','email':'b@example.com'}
          {'action':'disable','email':'b@example.com'}
          {'action':'enable','email':'b@example.com'}
          {'action':'delete','email':'b@example.com'}
          {'password':'CHOSEN','password':'CHOSEN'}
          {'requestContext':{},'body':'CHOSEN'}
          ['CHOSEN']
          """);

  private static final List<String> OF_EVENTS =
      List.of("FindEventsFunction", "EraseEventsFunction", "RestoreEventsFunction");

  /** The first is first since later the list has the reason of the erasure below. */
  private static final List<String> ERASURES =
      bodies(
          """
          {'list':true}
          {'list':true,'next':'PAYLOAD'}
          {'where':[{'pointer':'/a','equals':'PAYLOAD'}]}
          {'brand_id':'PAYLOAD'}
          {'brand_id':'7','reason':'PAYLOAD'}
          {'ids':['PAYLOAD'],'next':'PAYLOAD','dry_run':'PAYLOAD'}
          {'where':[{'pointer':'PAYLOAD','equals':['PAYLOAD']}]}
          {'show':'0b8f1c5e-7d0a-4f5e-9a33-0d6f1f0c9b11'}
          {'show':'PAYLOAD'}
          {'restore_from':'PAYLOAD','next':'PAYLOAD'}
          {'where':'PAYLOAD
          """);

  /** Lambda events that are invalid for every function. */
  private static final List<String> MISDIRECTED =
      bodies(
          """
          ['PAYLOAD']
          'PAYLOAD'
          {'isBase64Encoded':'PAYLOAD'}
          {'Step':'PAYLOAD','SecretId':'PAYLOAD'}
          {'Step':'createSecret','SecretId':'PAYLOAD','ClientRequestToken':'x'}
          """);

  /** The lines of a text, with double quotes for single ones, and secrets for their names. */
  private static List<String> bodies(String lines) {
    return lines
        .lines()
        .map(line ->
            line.replace('\'', '"')
                .replace("EMAIL", EMAIL)
                .replace("PASSWORD", PASSWORD)
                .replace("WRONG", WRONG_PASSWORD)
                .replace("CHOSEN", CHOSEN_PASSWORD)
                .replace("SHORT", SHORT_PASSWORD)
                .replace("PAYLOAD", PAYLOAD))
        .toList();
  }

  private final World service;
  private final Secrecy secrecy;
  private final String connector;
  private final String consumer;
  private final List<String> credentials;
  private final String storedId;

  /**
   * Gets three valid tokens: one by a login, two from an operator. Makes invalid credentials, and
   * stores an event.
   */
  EveryCall(World service, Secrecy secrecy) {
    this.service = service;
    this.secrecy = secrecy;
    String token = secrecy.keepToken(service.client().token());
    String forever = service.operator().staticToken(EMAIL);
    connector = "Bearer " + token;
    consumer = "Bearer " + secrecy.keepToken(service.operator().consumerToken());
    credentials =
        List.of(
            connector,
            consumer,
            "Bearer " + secrecy.keepToken(forever),
            "Bearer " + secrecy.keepToken(token + "x"),
            "Bearer " + token + " " + token,
            "Token " + token,
            "Basic " + PASSWORD);
    storedId =
        post("/api/webhook-events", EVENTS.getFirst(), connector).body().get("id").textValue();
  }

  void make() {
    LOGINS.forEach(body -> collect(service.client().post("/api/auth/login", body)));
    collect(
        service.client().post("/api/auth/login", LOGINS.getFirst(), "Content-Type", "text/plain"));
    credentials.forEach(this::use);
    for (String body : EVENTS) {
      collect(post("/api/webhook-events", body, connector, "Idempotency-Key", "the same"));
    }
    BATCHES.forEach(body -> collect(post("/api/webhook-events/batch", body, connector)));
    KEYS.forEach(body -> collect(post("/api/webhook-events/missing", body, connector)));
    LISTS.forEach(query -> collect(get("/api/webhook-events?" + query, consumer)));
    collectRead(get("/api/webhook-events/" + PAYLOAD, consumer));
    ACTIONS.forEach(event -> invoke("ManageUsersFunction", event));
    for (String function : OF_EVENTS) {
      ERASURES.forEach(event -> invoke(function, event));
    }
    for (String function :
        List.of(
            "LoginFunction",
            "MeFunction",
            "CreateEventFunction",
            "FindEventsFunction",
            "EraseEventsFunction",
            "RestoreEventsFunction",
            "RotateSigningKeyFunction")) {
      MISDIRECTED.forEach(event -> invoke(function, event));
    }
  }

  /**
   * Sends this credential, in the header and in the query, to each route that requires a token, and
   * to a route that does not exist.
   */
  private void use(String authorization) {
    String query = "?access_token=" + authorization.replace(' ', '+');
    for (Routes route : Routes.guarded()) {
      BodyPublisher body = BodyPublishers.ofString(bodyFor(route));
      String path = route.path(storedId) + query;
      Answer answer =
          service.client().send(route.method(), path, body, "Authorization", authorization);
      if (route.function().equals("ReadEventFunction")) {
        collectRead(answer);
      } else {
        collect(answer);
      }
    }
    collect(post("/api" + query, "", authorization));
  }

  private static String bodyFor(Routes route) {
    return switch (route) {
      case CREATE_EVENT -> EVENTS.getFirst();
      case CREATE_BATCH -> BATCHES.getFirst();
      case FIND_MISSING -> KEYS.getFirst();
      default -> route.body();
    };
  }

  private Answer get(String path, String authorization) {
    return service
        .client()
        .send("GET", path, BodyPublishers.noBody(), "Authorization", authorization);
  }

  private Answer post(String path, String body, String authorization, String... headers) {
    String[] all =
        Stream.concat(Stream.of("Authorization", authorization), Stream.of(headers))
            .toArray(String[]::new);
    return service.client().post(path, body, all);
  }

  private void invoke(String function, String event) {
    collect(service.client().post("/2015-03-31/functions/" + function + "/invocations", event));
  }

  /** Passes the answer to {@link Secrecy}. Only a 200 may contain the payload. */
  private void collectRead(Answer answer) {
    secrecy.collect(answer, answer.status() == 200 ? PAYLOAD : "");
  }

  /**
   * Passes the answer to {@link Secrecy}. The answer may contain a new token or a generated
   * password, but no other secret.
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
