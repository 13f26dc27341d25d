package dev.connectorevents.bench.coldstart;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The events that the bench sends to the functions: most are files of {@code events/}, with a token
 * filled in.
 *
 * @param token a connector's token
 * @param consumerToken a consumer's token
 */
record BenchmarkEvents(Path folder, String token, String consumerToken) {

  /** The e-mail address of the consumer in {@link AwsStub}. */
  static final String CONSUMER = "consumer@example.com";

  /**
   * The event for a function.
   *
   * @param name the function's name, from {@link Candidates#name}
   */
  String of(FunctionDefinition function, String name) throws IOException {
    return switch (name) {
      case "createevent" -> read("create-webhook-event.shopify");
      case "createbatch" -> read("create-webhook-event-batch");
      case "manageusers" -> read("manage-users.show");
      case "findevents" -> read("find-events.brand");
      case "eraseevents" -> read("erase-events.ids"); // the first call erases nothing
      case "restoreevents" -> read("restore-events.fill");
      case "rotatesigningkey" -> {
        String secret = function.environment().getOrDefault("SIGNING_KEY_SECRET_ARN", "");
        // The step with the most work: it reads the key, and signs and checks a token.
        yield read("rotate-signing-key")
            .replace("createSecret", "testSecret")
            .replaceAll("arn:aws:secretsmanager:[^\"]*", secret);
      }
      case "beatfeed" -> read("beat-feed");
      case "numberevents" -> read("number-events");
      case "readevent" -> read("read-webhook-event", consumerToken);
      case "listevents" -> read("list-webhook-events", consumerToken);
      case "findmissing" -> keys();
      default -> read(name);
    };
  }

  String consumerLogin() throws IOException {
    return read("login").replace("connector@example.com", CONSUMER);
  }

  /**
   * An event for {@code createbatch}, with {@link Throughput#EVENTS} webhook events. Each is the
   * webhook event for {@code createevent}, with an idempotency key of its own.
   */
  String batch() throws IOException {
    ObjectMapper json = new ObjectMapper();
    ObjectNode batch = (ObjectNode) json.readTree(read("create-webhook-event-batch"));
    String event =
        json.readTree(read("create-webhook-event.shopify")).get("body").textValue().substring(1);
    String events =
        IntStream.range(0, Throughput.EVENTS)
            .mapToObj(i -> "{\"idempotency_key\":\"bench-%d\",%s".formatted(i, event))
            .collect(Collectors.joining(","));
    return batch.put("body", "{\"events\":[" + events + "]}").toString();
  }

  /** The event for {@code findmissing}, with the most keys that a request may have. */
  private String keys() throws IOException {
    ObjectMapper json = new ObjectMapper();
    ObjectNode request = (ObjectNode) json.readTree(read("find-missing-webhook-events"));
    ObjectNode body = json.createObjectNode();
    IntStream.range(0, MissingKeys.KEYS)
        .forEach(i -> body.withArray("idempotency_keys").add("bench-" + i));
    return request.put("body", body.toString()).toString();
  }

  private String read(String file) throws IOException {
    return read(file, token);
  }

  private String read(String file, String sender) throws IOException {
    return Files.readString(folder.resolve(file + ".json")).replace("ACCESS_TOKEN", sender);
  }
}
