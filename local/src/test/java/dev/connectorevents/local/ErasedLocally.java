package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
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
 * Stores events in a local service, erases them with `local/erase`, and reads the table.
 *
 * @param states the folder where the command keeps its state
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

  /** Stores an event; returns its id. */
  String post(String payload) {
    return post(1, payload).getFirst();
  }

  /** Stores events with the same payload; returns their ids. */
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

  /** The text of the command, to run in bash. */
  String command(String arguments) {
    return "XDG_STATE_HOME='%s' ./erase --port %d %s"
        .formatted(states, service.url().getPort(), arguments);
  }

  /** Runs the command without a terminal; its errors are part of its output. */
  Result run(String arguments) throws IOException, InterruptedException {
    return bash(command(arguments) + " 2>&1");
  }

  /** Starts the command without a shell in between, so that a signal reaches it. */
  Process start(Path output, String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("python3", "-c", PYTHON, "--port", "" + service.url().getPort());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("XDG_STATE_HOME", states.toString());
    return builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }

  static Result bash(String command) throws IOException, InterruptedException {
    return CommandOnPath.of("bash", "-c", command).run(Redirect.INHERIT);
  }

  /** A member of the printed proof; empty if the output has none. */
  static String member(Result result, String name) {
    Matcher member = Pattern.compile("(?m)^  " + name + " +(.*)$").matcher(result.output());
    return member.find() ? member.group(1).strip() : "";
  }

  /** The ids whose tombstones name the erasure. */
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

  /** The digest that the proof of an erasure of these ids must have. */
  static String digest(SortedSet<String> ids) throws NoSuchAlgorithmException {
    String lines = ids.stream().map(id -> id + "\n").collect(Collectors.joining());
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(lines.getBytes(UTF_8)));
  }

  /** The item of the events table with this id. */
  Map<String, AttributeValue> item(String id) {
    return service
        .service()
        .dynamoDb()
        .getItem(get ->
            get.tableName(service.service().name("EventsTable"))
                .key(Map.of("id", AttributeValue.fromS(id))))
        .item();
  }
}
