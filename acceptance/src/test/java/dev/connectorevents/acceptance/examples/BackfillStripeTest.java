package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code examples/backfill_stripe.py}. */
class BackfillStripeTest {

  private static final int NOTHING_MISSING = 0;
  private static final int UNKNOWN = 1;
  private static final int SOME_MISSING = 2;

  @AutoClose private static final BackfilledService service = new BackfilledService(new Setup());

  @AutoClose private final StandInStripe stripe = new StandInStripe();

  @TempDir private Path folder;

  private final String prefix = BackfilledService.prefix();

  @Test
  void it_prints_only_the_ids_of_missing_events() throws Exception {
    List<String> stored = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      stripe.created(id("" + i), i % 2 == 0 ? "a.b" : "c.d", Duration.ofMinutes(300 - i));
      stored.add(id("" + i));
    }
    stripe.created(id("young"), "a.b", Duration.ofSeconds(10));
    stored.removeAll(List.of(id("7"), id("100"), id("148")));
    service.store(stored);

    ScriptRun all = backfill(Map.of(), "--event", "*");
    ScriptRun some = backfill(Map.of(), "--since", "4.01", "--event", "a.b");
    ScriptRun others = backfill(Map.of(), "--since", "4.01", "--event", "c.d");

    assertThat(all.exitCode()).isEqualTo(SOME_MISSING);
    assertThat(all.output()).containsExactly(id("7"), id("100"), id("148"));
    assertThat(some.output()).containsExactly(id("100"), id("148"));
    assertThat(others)
        .isEqualTo(new ScriptRun(NOTHING_MISSING, List.of(), List.of("45 events: 0 missing")));
    assertThat(stripe.requests()).containsOnly("GET /v1/events");
  }

  /** A thin event has an id of its own: of a thin destination, all of the other list is missing. */
  @Test
  void of_a_thin_destination_it_looks_for_thin_events_only() throws Exception {
    List<String> stored = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      stripe.created(id("snapshot-" + i), "customer.updated", Duration.ofMinutes(300 - i));
      stripe.createdThin(id("thin-" + i), "v1.customer.updated", Duration.ofMinutes(300 - i));
      stored.add(id("thin-" + i));
    }
    stripe.createdThin(id("other"), "v1.invoice.paid", Duration.ofMinutes(100));
    stripe.createdThin(id("young"), "v1.customer.updated", Duration.ofSeconds(10));
    service.store(stored);

    ScriptRun whole = backfill(Map.of(), "--event", "v1.customer.updated");
    ScriptRun late = backfill(Map.of(), "--since", "4.01", "--event", "v1.customer.updated");
    ScriptRun other =
        backfill(Map.of(), "--event", "v1.customer.updated", "--event", "v1.invoice.paid");

    assertThat(whole)
        .isEqualTo(new ScriptRun(NOTHING_MISSING, List.of(), List.of("150 events: 0 missing")));
    assertThat(late.errors()).containsExactly("90 events: 0 missing");
    assertThat(other.output()).containsExactly(id("other"));
    assertThat(stripe.requests()).containsOnly("GET /v2/core/events");
  }

  @Test
  void if_the_key_is_refused_it_says_so_in_one_sentence() throws Exception {
    assertThat(backfill(Map.of("STRIPE_API_KEY", "wrong"), "--event", "a.b"))
        .isEqualTo(
            new ScriptRun(UNKNOWN, List.of(), List.of("Stripe: 401: Invalid API Key provided")));
  }

  @Test
  void the_command_of_the_page_works() throws Exception {
    CommandOnPath.assumeWorks("bash", "--version");
    CommandOnPath.assumeWorks("python3", "--version");
    Path command = Files.writeString(folder.resolve("stripe"), "#!/bin/sh\necho stripe \"$@\"\n");
    assertThat(command.toFile().setExecutable(true)).isTrue();
    stripe.created(id("b"), "charge.succeeded", Duration.ofHours(2));
    stripe.created(id("c"), "charge.failed", Duration.ofHours(1));
    String commands = Page.of("connectors.md").commands("python3 examples/backfill_stripe.py");

    ScriptRun run =
        run(
            Map.of("PATH", folder + ":" + System.getenv("PATH")),
            List.of("bash", "-c", commands.replace("examples/", "../examples/")));

    assertThat(run.output())
        .containsExactly("stripe events resend --live --webhook-endpoint=we_123456 " + id("b"));
  }

  /** An id that no other test has. */
  private String id(String name) {
    return prefix + "-" + name;
  }

  private ScriptRun backfill(Map<String, String> settings, String... options)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("backfill_stripe.py"));
    words.addAll(List.of(options));
    return run(settings, Examples.command(words));
  }

  private ScriptRun run(Map<String, String> settings, List<String> command)
      throws IOException, InterruptedException {
    Map<String, String> all = service.settings(stripe.settings());
    all.putAll(settings);
    return ScriptRun.of(command, all, folder);
  }
}
