package dev.connectorevents.acceptance.runbooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.attacks.Forgery;
import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the commands of docs/operating.md that end an attack, and then tries the attack. {@link
 * RestoreDrillTest} does so for a restored table.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the page's commands are for bash")
class RunbooksTest {

  private static final String SHOP = "o'shop@example.com";
  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";

  @AutoClose private final RunningService service = RunningService.start();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "reset-password | end | is replaced. The command prints the new one | 401",
        "revoke         | end | still works                                 | 200",
        "disable        | end | is refused                                  | 401",
      })
  void a_command_ends_of_a_users_access_what_the_page_says(
      String command, String tokens, String password, int login) throws Exception {
    CommandOnPath.assumeWorks("python3", "--version"); // local/user needs it
    Runbook runbook = Runbook.of(service, "End a user's access", folder);
    assertThat(runbook.text()).contains("| `%s` | %s | %s |".formatted(command, tokens, password));
    String leaked = service.operator().manageUsers("create", SHOP).get("password").textValue();
    List<String> stolen =
        List.of(
            service.client().login(SHOP, leaked).accessToken(),
            service
                .operator()
                .manageUsers("issue-static-token", SHOP)
                .at("/token/access_token")
                .textValue());
    List<String> commands =
        runbook.userCommands("\"" + SHOP + "\"").stream()
            .filter(line -> line.contains(" " + command + " "))
            .toList();
    assertThat(commands).hasSize(1);

    String output = runbook.run(commands.getFirst());

    for (String token : stolen) {
      assertRefused(token, "revoked_token");
    }
    assertThat(service.client().login(SHOP, leaked).status()).isEqualTo(login);
    String replaced = Runbook.passwordIn(output);
    assertThat(replaced.isEmpty()).isEqualTo(!command.equals("reset-password"));
    if (!replaced.isEmpty()) {
      assertThat(post(service.client().login(SHOP, replaced).accessToken())).isEqualTo(201);
    }
  }

  @Test
  @DisabledIfSystemProperty(
      named = Endpoint.PROPERTY,
      matches = ".*",
      disabledReason = "this Secrets Manager is another process and cannot call the functions")
  void after_a_leak_of_the_key_neither_forged_tokens_nor_what_they_bought_pass() throws Exception {
    CommandOnPath.assumeWorks("aws", "--version");
    CommandOnPath.assumeWorks("jq", "--version");
    Runbook leak = Runbook.of(service, "After a leak of the key", folder);
    String rotate = Runbook.of(service, "Rotate by hand", folder).script("aws secretsmanager");
    assertThat(leak.text()).contains("1. Rotate twice.").contains("2. Wait for 6 minutes.");
    Forgery forgery = Forgery.withLeakedKey(service);
    assertThat(post(forgery.good())).isEqualTo(201);

    leak.run(rotate);
    String bought = refresh(forgery.good());
    leak.run(rotate);
    String rebought = refresh(bought);

    String loggedIn =
        service.client().token(); // from an instance that had signed with the leaked key
    assertThat(post(loggedIn)).isEqualTo(201);
    assertThat(service.client().get("/api/auth/me", loggedIn).status()).isEqualTo(200);

    makeEveryFunctionReadTheKeys();
    assertRefused(forgery.good(), "invalid_token");
    assertThat(post(rebought)).as("a token that only step 2 revokes").isEqualTo(201);

    assertThat(leak.run(leak.script("aws dynamodb scan")))
        .contains("tokens_valid_from")
        .doesNotContain("\"code\"");
    assertRefused(rebought, "revoked_token");
    assertThat(post(service.client().token())).isEqualTo(201);
  }

  private String refresh(String token) {
    return service
        .client()
        .post("/api/auth/refresh", "", "Authorization", "Bearer " + token)
        .accessToken();
  }

  private int post(String token) {
    return service
        .client()
        .post("/api/webhook-events", EVENT, "Authorization", "Bearer " + token)
        .status();
  }

  /** Asserts that every kind of route refuses the token. Event creation may lag. */
  private void assertRefused(String token, String code) throws InterruptedException {
    String header = "Bearer " + token;
    assertThat(service.client().get("/api/auth/me", token).code()).isEqualTo(code);
    assertThat(service.client().post("/api/auth/refresh", "", "Authorization", header).code())
        .isEqualTo(code);
    for (int i = 0; i < 60 && post(token) == 201; i++) {
      Thread.sleep(100);
    }
    assertThat(service.client().post("/api/webhook-events", EVENT, "Authorization", header).code())
        .isEqualTo(code);
  }

  /**
   * Replaces the page's wait of 6 minutes: an unknown key id makes a function read the keys again
   * after 5 s.
   */
  private void makeEveryFunctionReadTheKeys() throws IOException, InterruptedException {
    String unknown = Forgery.withLeakedKey(service).withHeader("kid", "\"unknown\"");
    for (int i = 0; i < 2; i++) {
      assertThat(service.client().get("/api/auth/me", unknown).code()).isEqualTo("invalid_token");
      assertThat(refresh(unknown)).isEmpty();
      assertThat(post(unknown)).isEqualTo(401);
      Thread.sleep(i == 0 ? 5_500 : 0);
    }
  }
}
