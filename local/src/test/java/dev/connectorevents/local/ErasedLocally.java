package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores events in a local service, erases them with {@code operate/erase}, and reads the service's
 * events table.
 *
 * @param token a connector's token, which stores the events
 * @param states the folder for the state files of {@code operate/erase}: its {@code XDG_STATE_HOME}
 */
record ErasedLocally(ServedLocally service, String token, Path states) {

  private static final int LARGEST_BATCH = 100;

  private static final String PYTHON =
      """
      import runpy, signal, sys
      # A build in the background ignores Ctrl-C, and so would this process.
      signal.signal(signal.SIGINT, signal.default_int_handler)
      sys.argv[0] = "erase"
      runpy.run_path("erase", run_name="__main__")
      """;

  static ErasedLocally in(ServedLocally service, Path states) {
    return new ErasedLocally(service, service.token(), states);
  }

  /** Stores an event, and returns its id. */
  String post(String payload) {
    return post(1, payload).getFirst();
  }

  /** Stores events with the same payload, and returns their ids. */
  List<String> post(int count, String payload) {
    String event = "{\"event_type\":\"a.b\",\"payload\":" + payload + "}";
    List<String> ids = new ArrayList<>();
    while (ids.size() < count) {
      String events =
          String.join(",", Collections.nCopies(Math.min(LARGEST_BATCH, count - ids.size()), event));
      String[] headers = {
        "Authorization", "Bearer " + token, "Content-Type", "application/json",
      };
      String batch = "{\"events\":[" + events + "]}";
      String stored = service.send("POST", "/api/webhook-events/batch", batch, headers).body();
      ServedLocally.read(stored)
          .get("results")
          .forEach(result -> ids.add(result.at("/event/id").textValue()));
    }
    return ids;
  }

  /** The command line that runs {@code operate/erase} in bash. */
  String command(String arguments) {
    return "XDG_STATE_HOME='%s' ../operate/erase --port %d %s"
        .formatted(states, service.url().getPort(), arguments);
  }

  /** Runs {@code operate/erase} without a terminal. The result's output includes the errors. */
  Result run(String arguments) throws IOException, InterruptedException {
    return bash(command(arguments) + " 2>&1");
  }

  /**
   * Starts {@code operate/erase} without a shell in between, so that a signal to the returned
   * process reaches the command.
   */
  Process start(Path output, String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("python3", "-c", PYTHON, "--port", "" + service.url().getPort());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("XDG_STATE_HOME", states.toString());
    builder.directory(new File("../operate")); // where the script finds the command
    return builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }

  static Result bash(String command) throws IOException, InterruptedException {
    return CommandOnPath.of("bash", "-c", command).run(Redirect.INHERIT);
  }

  /** The value of a member in the printed proof; empty if the output lacks this member. */
  static String member(Result result, String name) {
    Matcher member = Pattern.compile("(?m)^  " + name + " +(.*)$").matcher(result.output());
    return member.find() ? member.group(1).strip() : "";
  }

  /** The ids of the erased events whose tombstones name this erasure. */
  SortedSet<String> tombstones(String erasureId) {
    return service
        .service()
        .dynamoDb()
        .scanPaginator(scan -> scan.tableName(service.service().name("EventsTable")))
        .items()
        .stream()
        .filter(
            item -> erasureId.equals(item.getOrDefault("erasure_id", AttributeValue.fromS("")).s()))
        .map(item -> requireNonNull(item.get("id")).s())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The {@code ids sha256} of a proof, from the pages of ids in the ledger of the erasure. */
  String digest(String erasureId) throws NoSuchAlgorithmException {
    StringBuilder digests = new StringBuilder();
    for (int page = 1; ; page++) {
      Map<String, AttributeValue> item = item("ErasuresTable", erasureId + "#" + page);
      if (item.isEmpty() || item.containsKey("end")) {
        return sha256(digests.toString());
      }
      String ids =
          requireNonNull(item.get("ids")).l().stream()
              .map(id -> id.s() + "\n")
              .sorted()
              .collect(Collectors.joining());
      digests.append(sha256(ids)).append('\n');
    }
  }

  private static String sha256(String text) throws NoSuchAlgorithmException {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
  }

  /** The item with this id in the events table; empty if there is none. */
  Map<String, AttributeValue> item(String id) {
    return item("EventsTable", id);
  }

  private Map<String, AttributeValue> item(String table, String id) {
    return service
        .service()
        .dynamoDb()
        .getItem(get ->
            get.tableName(service.service().name(table))
                .key(Map.of("id", AttributeValue.fromS(id))))
        .item();
  }
}
