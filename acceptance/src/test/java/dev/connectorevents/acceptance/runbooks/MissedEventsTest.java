package dev.connectorevents.acceptance.runbooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.template.TemplateText;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the command of docs/reading-events.md that collects the messages that the pipe did not send.
 * The command is in the chapter "When events are not announced".
 */
class MissedEventsTest {

  private static final Path PAGE = Path.of("../docs/reading-events.md");
  private static final ObjectMapper JSON = new ObjectMapper();

  @AutoClose private final World service = World.start();

  @TempDir private Path folder;

  @BeforeEach
  void needTools() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("aws", "--version");
    CommandOnPath.assumeWorks("jq", "--version");
  }

  @Test
  @Promise("Collect the messages of all events that were stored or erased since that time.")
  void the_messages_of_events_stored_or_erased_since_the_stop_are_those_of_the_pipe()
      throws Exception {
    Instant stop = createdAt(service.store("{}")).plusMillis(1);
    while (Instant.now().isBefore(stop)) {
      Thread.onSpinWait();
    }
    List<String> missed =
        List.of(
            service.store("{}"),
            service.store("{\"n\":\"" + Texts.noise(450_000) + "\"}"),
            service.store("{\"n\":1}"));
    service.operator().erase(missed.getLast());

    collect(stop);

    List<JsonNode> messages =
        JSON.readerFor(JsonNode.class).<JsonNode>readValues(collected()).readAll();
    assertThat(messages)
        .extracting(message -> message.get("id").textValue())
        .containsExactlyInAnyOrderElementsOf(missed);
    assertThat(messages)
        .allSatisfy(message ->
            assertThat(message.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrderElementsOf(membersOfThePipesMessage()));
    assertThat(messages)
        .filteredOn(message -> !message.get("id").asText().equals(missed.getLast()))
        .allMatch(message -> message.get("event_type").asText().equals("a.b"))
        .allMatch(message -> message.get("erased_at").asText().isEmpty());
    assertThat(messages)
        .filteredOn(message -> message.get("id").asText().equals(missed.getLast()))
        .allMatch(message -> message.get("event_type").asText().isEmpty())
        .allMatch(message -> Instant.parse(message.get("erased_at").asText()).isAfter(stop));
  }

  private Instant createdAt(String id) {
    String event =
        service
            .client()
            .get("/api/webhook-events/" + id, service.operator().consumerToken())
            .body()
            .get("created_at")
            .textValue();
    return Instant.parse(event);
  }

  /** Runs the page's command that writes the messages of missed events to {@code missed.jsonl}. */
  private void collect(Instant since) throws IOException, InterruptedException {
    Matcher command =
        Pattern.compile("(?s) (aws dynamodb scan .*? > missed.jsonl)\n")
            .matcher(Files.readString(PAGE));
    assertThat(command.find()).isTrue();
    String shown = "2026-11-20T12:00:00.000Z";
    assertThat(command.group(1)).contains(shown);
    ProcessBuilder bash =
        CommandOnPath.of(
                "bash", "-o", "pipefail", "-c", command.group(1).replace(shown, since.toString()))
            .process()
            .directory(folder.toFile())
            .inheritIO();
    bash.environment().putAll(service.environment());
    bash.environment().put("TABLE", service.name("EventsTable"));
    assertThat(bash.start().waitFor()).isZero();
  }

  private File collected() {
    return folder.resolve("missed.jsonl").toFile();
  }

  private static Set<String> membersOfThePipesMessage() throws IOException {
    String message =
        TemplateText.ofTheAnnouncements()
            .properties("Pipe")
            .at("/TargetParameters/InputTemplate")
            .asText();
    Set<String> members = new TreeSet<>();
    JSON.readTree(message).fieldNames().forEachRemaining(members::add);
    return members;
  }
}
