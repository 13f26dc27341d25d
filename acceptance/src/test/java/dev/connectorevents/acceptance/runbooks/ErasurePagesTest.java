package dev.connectorevents.acceptance.runbooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of docs/privacy.md for Shopify's three privacy webhooks, and those of "Erase
 * events" in docs/operating.md. The function is a {@link FastErasure}, and a pause of a command
 * takes a hundredth of its time.
 */
@SuppressWarnings("NullAway.Init")
class ErasurePagesTest {

  private static final Path PAGE = Path.of("../docs/privacy.md");
  private static final String SHOP = "example.myshopify.com";
  private static final String CLOSED_SHOP = "closed.myshopify.com";

  /** Python imports this module at its start. */
  private static final String FAST_SLEEP =
      """
      import time
      sleep = time.sleep
      time.sleep = lambda seconds: sleep(seconds / %d)
      """
          .formatted(FastErasure.SPEED);

  @TempDir private Path folder;
  @AutoClose private RunningService service;
  private String token;
  private String consumerToken;

  @BeforeEach
  void start() throws IOException {
    Files.writeString(folder.resolve("sitecustomize.py"), FAST_SLEEP);
    Path template = FastErasure.plantedIn(folder);
    service = RunningService.start(Setup.DEFAULT.template(template));
    token = service.client().token();
    consumerToken = service.operator().consumerToken();
  }

  @Test
  void the_commands_list_and_erase_what_shopify_asks_for() throws Exception {
    for (String command : List.of("bash", "curl", "python3")) {
      CommandOnPath.assumeWorks(command, "--version");
    }
    String order = store(SHOP, "{\"id\":1,\"customer\":{\"id\":207119551,\"name\":\"Zoë\"}}");
    String customer = store(SHOP, "{\"id\":207119551,\"email\":\"zoe@example.com\"}");
    String cancelled = store(SHOP, "{\"id\":299938,\"reason\":\"customer\"}");
    String otherOrder = store(SHOP, "{\"id\":2,\"customer\":{\"id\":5}}");
    String otherShop = store("other.example.com", "{\"customer\":{\"id\":207119551}}");
    String closed = store(CLOSED_SHOP, "{\"id\":3}");

    assertThat(run("customers/data_request"))
        .contains("\"Zoë\"", "zoe@example.com")
        .doesNotContain("299938", "other.example.com");
    assertThat(statuses(order, customer)).containsOnly(200);

    assertThat(run("customers/redact")).contains(order, customer, cancelled);
    run("shop/redact");

    assertThat(statuses(order, customer, cancelled, closed)).containsOnly(410);
    assertThat(statuses(otherOrder, otherShop)).containsOnly(200);
  }

  @Test
  void the_operators_commands_list_and_erase_a_customers_events() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    String customers = store(SHOP, "{\"customer\":{\"id\":207119551}}");
    String other = store(SHOP, "{\"customer\":{\"id\":5}}");
    Runbook page = Runbook.of(service, "Erase events", folder);
    List<String> commands = page.operatorCommands("erase");

    String listed = page.run(fast(commands.getFirst()));
    String erased = page.run(fast(commands.getLast() + " --yes"));

    assertThat(listed).startsWith(customers + "\n1 event found.");
    assertThat(erased).startsWith("1 event erased.");
    assertThat(statuses(customers)).containsOnly(410);
    assertThat(statuses(other)).containsOnly(200);
  }

  private String fast(String command) {
    return "PYTHONPATH='" + folder + "' " + command;
  }

  private String store(String brand, String payload) {
    String meta = ",\"_meta\":{\"brand_id\":\"" + brand + "\"}}";
    String event =
        "{\"event_type\":\"shopify.a\",\"payload\":" + payload.replaceFirst("}$", meta) + "}";
    return service
        .client()
        .post("/api/webhook-events", event, "Authorization", "Bearer " + token)
        .body()
        .get("id")
        .textValue();
  }

  private Stream<Integer> statuses(String... ids) {
    return Stream.of(ids)
        .map(id -> service.client().get("/api/webhook-events/" + id, consumerToken).status());
  }

  /** Runs the page's commands for this webhook, and returns their output. They must succeed. */
  private String run(String webhook) throws IOException, InterruptedException {
    Matcher block =
        Pattern.compile("(?m)^\\*\\*`" + webhook + "`\\*\\*(?:.+\n)+\n((?: {4}.*\n)+)")
            .matcher(Files.readString(PAGE));
    assertThat(block.find()).as(webhook).isTrue();
    String port = " --port " + service.emulator().baseUrl().getPort();
    String commands = block.group(1).replace("local/erase", "local/erase" + port);
    if (webhook.equals("shop/redact")) {
      commands = commands.replace(SHOP, CLOSED_SHOP);
    }
    Path output = folder.resolve(webhook.replace('/', '-'));
    ProcessBuilder bash =
        new ProcessBuilder("bash", "-eo", "pipefail", "-c", commands)
            .directory(Path.of("..").toFile())
            .redirectOutput(output.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectError(Redirect.INHERIT);
    bash.environment()
        .putAll(
            Map.of(
                "URL",
                service.emulator().baseUrl().toString(),
                "TOKEN",
                consumerToken,
                "XDG_STATE_HOME",
                folder.toString(),
                "PYTHONPATH",
                folder.toString()));
    assertThat(bash.start().waitFor()).isZero();
    return Files.readString(output, UTF_8);
  }
}
