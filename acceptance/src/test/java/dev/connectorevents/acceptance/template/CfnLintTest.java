package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the template with cfn-lint. Skipped if cfn-lint is not installed. */
class CfnLintTest {

  @TempDir private Path directory;

  @BeforeEach
  void find() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("cfn-lint", "--version");
  }

  @Test
  void the_template_is_without_errors_and_warnings() throws IOException, InterruptedException {
    assertThat(lint(RunningService.TEMPLATE)).isEqualTo(new Result(0, ""));
  }

  @Test
  void a_warning_counts() throws IOException, InterruptedException {
    Path template =
        Files.writeString(
            directory.resolve("template.yaml"),
            """
            Resources:
              Topic:
                Type: AWS::SNS::Topic
              Policy:
                Type: AWS::SNS::TopicPolicy
                DependsOn: Topic # as its reference says already
                Properties:
                  Topics: [!Ref Topic]
                  PolicyDocument: { Version: "2012-10-17", Statement: [] }
            """);

    Result result = lint(template);

    assertThat(result.exitCode()).isNotZero();
    assertThat(result.output()).contains("W3005");
  }

  private static Result lint(Path template) throws IOException, InterruptedException {
    return CommandOnPath.of(
            "cfn-lint", "--non-zero-exit-code", "warning", "--template", template.toString())
        .run(Redirect.INHERIT);
  }
}
