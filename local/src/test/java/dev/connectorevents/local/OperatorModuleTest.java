package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.lang.ProcessBuilder.Redirect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a script that imports {@code operators.command} can catch. */
class OperatorModuleTest {

  @RegisterExtension private static final SharedService shared = new SharedService();

  @Test
  void a_loop_catches_a_refusal_by_its_code_and_any_other_failure() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    int port = shared.service().url().getPort();
    String loop =
        """
        import sys
        sys.path.insert(0, "../operate")
        from operators.command import Failure, LocalServe, Refusal
        target = LocalServe(int(sys.argv[1]))
        try:
            target.invoke("ManageUsersFunction", {"action": "show", "email": "nobody@example.com"})
        except Refusal as refusal:
            print(refusal.code)
        try:
            target.invoke("NoFunction", {})
        except Failure as failure:
            print(failure)
        """;
    Result caught = CommandOnPath.of("python3", "-c", loop, "" + port).run(Redirect.INHERIT);

    assertThat(caught.output())
        .startsWith("user_not_found\nport " + port + " answers 404: {")
        .contains("Function not found: NoFunction");
  }
}
