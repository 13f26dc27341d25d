package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Runs the README's commands for a first event, in their order. */
class ReadmeTest {

  private static final Pattern ANSWER = Pattern.compile("```json\n(.*)\n```");

  /** What differs each time: ids, times, and the name of the feed. */
  private static final Pattern VARIABLE =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\"2[^\"]*Z\"|[0-9a-f]{8}(?=-1\")");

  @AutoClose private final World service = World.start(new Setup().clock(WorldClock.standing()));

  private final Page readme = new Page(Files.readString(Path.of("../README.md")));

  ReadmeTest() throws IOException {}

  @Test
  void an_event_is_stored_once_and_seen_in_the_feed() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("curl", "--version");
    CommandOnPath.assumeWorks("python3", "--version");
    List<String> answers =
        ANSWER.matcher(readme.text()).results().map(each -> each.group(1)).toList();
    assertThat(answers).hasSize(2);

    String stored = run("curl -s ");
    String again = run("curl -s ");
    service.number();
    service.beat();
    String seen = run("operate/user create").lines().toList().getLast();

    assertThat(masked(stored)).isEqualTo(masked(answers.get(0)));
    assertThat(again).isEqualTo(stored);
    assertThat(masked(seen)).isEqualTo(masked(answers.get(1)));
  }

  /** Runs the block of commands that begins with this text. */
  private String run(String beginning) throws IOException, InterruptedException {
    String commands =
        readme
            .commands(beginning)
            .replace("http://127.0.0.1:3000", service.baseUrl().toString())
            .replace(
                "operate/user ", "../operate/user --port " + service.baseUrl().getPort() + " ");
    String token = "TOKEN=" + service.client().token() + "\n";
    return CommandOnPath.of("bash", "-c", token + commands).run(Redirect.INHERIT).output();
  }

  private static String masked(String answer) {
    return VARIABLE.matcher(answer).replaceAll("…");
  }
}
