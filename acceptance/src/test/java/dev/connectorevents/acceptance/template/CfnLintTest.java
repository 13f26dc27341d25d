package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the template with cfn-lint. Skipped if cfn-lint is not installed. */
@SuppressWarnings("NullAway.Init")
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
    Mistake mistake =
        new Mistake(
            "SigningKeyRotation",
            "DependsOn: [RotateSigningKeyPermission, Api]",
            "DependsOn: [RotateSigningKeyPermission, Api, RotateSigningKeyFunction]",
            "W3005");

    Result result = lint(mistake.plantedIn(directory));
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.output()).contains(mistake.message());
  }

  private static Result lint(Path template) throws IOException, InterruptedException {
    return CommandOnPath.of(
            "cfn-lint", "--non-zero-exit-code", "warning", "--template", template.toString())
        .run(Redirect.INHERIT);
  }
}
