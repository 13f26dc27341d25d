import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AuthenticationApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.model.*;

/**
 * Takes each step with the client that openapi-generator makes, and prints what it read. Options:
 * {@code -g java --library native}. It needs {@code setObjectMapper}, as below. It does not keep
 * the members' order of a payload.
 */
class Drive {

  private static final Map<String, String> ENV = System.getenv();
  private static final String ABSENT = "00000000-0000-4000-8000-000000000000";

  /** The client's own mapper leaves out what is null, also in a payload. */
  private static final ObjectMapper JSON =
      ApiClient.createDefaultObjectMapper()
          .setDefaultPropertyInclusion(JsonInclude.Value.construct(NON_NULL, ALWAYS));

  private static ApiClient client(String token) {
    ApiClient client = new ApiClient().setObjectMapper(JSON);
    client.updateBaseUri(ENV.get("API_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    return client;
  }

  private static String token(String email) throws ApiException {
    Login login = new Login().email(email).password(ENV.get("PASSWORD"));
    return new AuthenticationApi(client("")).login(login).getAccessToken();
  }

  private static EventToStore event(String key, String payload) throws Exception {
    return new EventToStore()
        .idempotencyKey(key)
        .eventType("shopify.orders/create")
        .payload(JSON.readValue(payload, EventToStorePayload.class));
  }

  /** The code of the problem that a call is refused with, read as the type of this name. */
  private static String refused(Class<?> problem, Callable<?> call) throws Exception {
    try {
      call.call();
      return "nothing";
    } catch (ApiException e) {
      Object read = JSON.readValue(e.getResponseBody(), problem);
      JsonNode seen = JSON.valueToTree(read);
      return e.getCode()
          + " "
          + Optional.ofNullable(seen.get("code")).orElse(seen.get("message")).asText();
    }
  }

  public static void main(String... arguments) throws Exception {
    String sent = ENV.get("PAYLOAD");
    String connector =
        new AuthenticationApi(client(token(ENV.get("CONNECTOR")))).refresh().getAccessToken();
    EventsApi events = new EventsApi(client(connector));
    EventsApi reader = new EventsApi(client(token(ENV.get("CONSUMER"))));

    System.out.println(
        "role " + new AuthenticationApi(client(connector)).getCurrentUser().getRole().getValue());

    Event created = events.createWebhookEvent(event("java-1", sent), null);
    System.out.println("created " + created.getEventType().equals("shopify.orders/create"));

    NewBatch batch =
        new NewBatch()
            .addEventsItem(event("java-1", sent))
            .addEventsItem(event("java-1", "{}"))
            .addEventsItem(event("java-2", "{}"));
    List<String> results = new ArrayList<>();
    for (BatchResult result : events.createWebhookEvents(batch).getResults()) {
      results.add(
          result.getProblem() == null
              ? "replayed " + result.getReplayed()
              : result.getStatus().getValue() + " " + result.getProblem().getCode().getValue());
    }
    System.out.println("batch " + String.join(", ", results));

    Keys keys = new Keys().addIdempotencyKeysItem("java-2").addIdempotencyKeysItem("absent");
    System.out.println(
        "missing " + String.join(",", events.findMissingWebhookEvents(keys).getMissing()));

    EventPage newest =
        reader.listWebhookEvents("a.b", null, null, null, null, null, null, 3, "payload", null);
    List<String> notes =
        newest.getEvents().stream()
            .map(entry -> entry.getPayload().getAdditionalProperty("n").toString())
            .toList();
    System.out.println("newest " + String.join(",", notes));

    int read = 0;
    int erased = 0;
    int pages = 0;
    String cursor = "0";
    boolean more = true;
    while (more) {
      EventPage page =
          reader.listWebhookEvents(
              "a.b", null, null, "asc", null, null, null, 2, "erasures", cursor);
      for (Entry entry : page.getEvents()) {
        if (entry.getErasedAt() == null) {
          read++;
        } else {
          erased++;
        }
      }
      cursor = page.getNext();
      more = page.getMore();
      pages++;
    }
    System.out.println("feed " + read + " events, " + erased + " erasure, " + pages + " pages");

    JsonNode expected = JSON.readTree(sent);
    EventWithPayload byId = reader.getWebhookEvent(created.getId().toString(), null, null);
    StoredPayload payload = reader.getWebhookEventPayload(created.getId().toString(), null, null);
    System.out.println("by id " + JSON.valueToTree(byId.getPayload()).equals(expected));
    System.out.println("payload " + JSON.valueToTree(payload).equals(expected));

    System.out.println(refused(WrongCredentials.class, () -> token("nobody@example.com")));
    System.out.println(
        refused(NotAuthenticated.class, () -> new AuthenticationApi(client("x")).getCurrentUser()));
    System.out.println(
        refused(Forbidden.class, () -> reader.createWebhookEvent(event("java-3", "{}"), null)));
    System.out.println(refused(NotFound.class, () -> reader.getWebhookEvent(ABSENT, null, null)));
    System.out.println(
        refused(EventErased.class, () -> reader.getWebhookEvent(ENV.get("ERASED"), null, null)));
    System.out.println(
        refused(
            PayloadTooLarge.class,
            () ->
                events.createWebhookEvent(
                    event("java-4", "{\"n\":\"" + "n".repeat(11_000_000) + "\"}"), null)));
    System.out.println(
        refused(
            InvalidQuery.class,
            () ->
                reader.listWebhookEvents(
                    null, null, null, "asc", null, null, null, null, null, "00000000-1")));
    System.out.println(
        refused(NotStored.class, () -> events.createWebhookEvent(event("java-1", "{}"), null)));
    System.out.println(
        refused(
            TooManyAttempts.class,
            () -> {
              for (int i = 0; i < 20; i++) {
                if (!refused(Problem.class, () -> token("java@example.com")).startsWith("401 ")) {
                  break;
                }
              }
              return token("java@example.com");
            }));
    System.out.println(refused(Unavailable.class, () -> token("unlucky@example.com")));
  }
}
