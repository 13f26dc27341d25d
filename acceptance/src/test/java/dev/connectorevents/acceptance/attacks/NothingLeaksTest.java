package dev.connectorevents.acceptance.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.CapturedLog;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * A secret, such as a password, a token, a key or a payload, is never in the log. An answer
 * contains no secret except the one that the call is for.
 */
class NothingLeaksTest {

  private final CapturedLog log = new CapturedLog();

  @AutoClose private final World service = World.start(new Setup().logged(log));

  private final Secrecy secrecy = new Secrecy(service);

  @Test
  @Promise("No answer contains a stack trace, a class name, a password or a token.")
  void no_call_puts_a_secret_into_the_log_or_into_another_answer_even_if_it_fails() {
    EveryCall calls = new EveryCall(service, secrecy);
    calls.make();
    secrecy.keepHashes();

    assertThat(log.text())
        .contains("\"status\":200", "\"status\":201", "\"status\":422")
        .contains("\"counted_as\":\"other\"", "\"refused\":1")
        .contains(routes())
        .contains(actions());
    secrecy.assertKeptIn(log.text());
    secrecy.assertKeptInAnswers();

    for (String table :
        List.of(
            "UsersTable",
            "PasswordHashesTable",
            "EventsTable",
            "LoginAttemptsTable",
            "ErasuresTable")) {
      service.dynamoDb().deleteTable(delete -> delete.tableName(service.name(table)));
    }
    log.clear();

    calls.make();

    assertThat(log.text())
        .contains("\"status\":503", "ResourceNotFoundException")
        .contains(routes())
        .contains(actions());
    secrecy.assertKeptIn(log.text());
    secrecy.assertKeptInAnswers();
  }

  @Test
  void a_rotation_logs_neither_the_old_key_nor_the_new_one() {
    try (SecretsManagerClient secrets = service.settings().secretsManagerClient()) {
      service.operator().rotate(secrets);
      secrecy.keepSigningKey(secrets);
    }

    assertThat(log.text()).contains("\"step\":\"finishSecret\"");
    secrecy.assertKeptIn(log.text());
  }

  /** How the log names each route of the template. */
  private List<String> routes() {
    return service.template().functions().stream()
        .flatMap(function -> function.routes().stream())
        .map(route -> "\"route\":\"" + route.key() + "\"")
        .toList();
  }

  /**
   * How the log names each action of {@code ManageUsersFunction}. The function's error for a
   * missing action lists them.
   */
  private List<String> actions() {
    return service.operator().actions().map(action -> "\"action\":\"" + action + "\"").toList();
  }
}
