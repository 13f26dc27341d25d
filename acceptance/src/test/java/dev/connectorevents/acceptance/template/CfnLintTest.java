package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the templates with cfn-lint. Skipped if cfn-lint is not installed. */
class CfnLintTest {

  /** The exit code of a shell that does not find a command. */
  private static final int NOT_FOUND = 127;

  private static final Path CONNECTOR = Path.of("../examples/connector.yaml");

  @TempDir private Path directory;

  /**
   * Checks all templates in one run, and does not ask cfn-lint for its version first: each start of
   * cfn-lint takes 2 to 5 s.
   */
  @Test
  void the_templates_are_without_errors_and_warnings_and_a_warning_counts() throws Exception {
    Path warned =
        Files.writeString(
            directory.resolve("warned.yaml"),
            """
            Resources:
              Topic:
                Type: AWS::SNS::Topic
              Policy:
                Type: AWS::SNS::TopicPolicy
                DependsOn: Topic # redundant: the !Ref below already implies it
                Properties:
                  Topics: [!Ref Topic]
                  PolicyDocument: { Version: "2012-10-17", Statement: [] }
            """);

    Result result = lint(World.TEMPLATE, TemplateText.ANNOUNCE, CONNECTOR, warned);

    Assumptions.assumeTrue(result.exitCode() != NOT_FOUND, "cfn-lint is not installed");
    assertThat(result.output().lines().filter(line -> line.matches("[EWI]\\d.*")).toList())
        .singleElement(STRING)
        .startsWith("W3005");
    assertThat(result.output()).contains(warned.toString());
    assertThat(result.exitCode()).isNotZero();
  }

  private static Result lint(Path... templates) throws IOException, InterruptedException {
    // A shell, so that a missing cfn-lint is an exit code and no exception.
    String command = "exec cfn-lint --non-zero-exit-code warning --template \"$@\"";
    List<String> words = new ArrayList<>(List.of("sh", "-c", command, "sh"));
    Stream.of(templates).map(Path::toString).forEach(words::add);
    return new CommandOnPath(words).run(Redirect.INHERIT);
  }
}
