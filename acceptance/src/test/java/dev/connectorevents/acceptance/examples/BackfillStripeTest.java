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
import org.junit.jupiter.api.BeforeAll;
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

  @BeforeAll
  static void python() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("python3", "--version");
  }

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

    BackfillRun all = backfill();
    BackfillRun some = backfill("--since", "4.01", "--event", "a.b");
    BackfillRun others = backfill("--since", "4.01", "--event", "c.d");

    assertThat(all.exitCode()).isEqualTo(SOME_MISSING);
    assertThat(all.output()).containsExactly(id("7"), id("100"), id("148"));
    assertThat(some.output()).containsExactly(id("100"), id("148"));
    assertThat(others)
        .isEqualTo(new BackfillRun(NOTHING_MISSING, List.of(), List.of("45 events: 0 missing")));
    assertThat(stripe.requests()).containsOnly("GET /v1/events");
  }

  @Test
  void if_the_key_is_refused_it_says_so_in_one_sentence() throws Exception {
    Map<String, String> settings = settings();
    settings.put("STRIPE_API_KEY", "wrong");

    assertThat(service.run("backfill_stripe.py", List.of(), settings, folder))
        .isEqualTo(
            new BackfillRun(UNKNOWN, List.of(), List.of("Stripe: 401: Invalid API Key provided")));
  }

  @Test
  void the_command_of_the_page_works() throws Exception {
    CommandOnPath.assumeWorks("bash", "--version");
    Path command = Files.writeString(folder.resolve("stripe"), "#!/bin/sh\necho stripe \"$@\"\n");
    assertThat(command.toFile().setExecutable(true)).isTrue();
    stripe.created(id("b"), "charge.succeeded", Duration.ofHours(2));
    stripe.created(id("c"), "charge.failed", Duration.ofHours(1));
    Map<String, String> settings = settings();
    settings.put("PATH", folder + ":" + System.getenv("PATH"));

    List<BackfillRun> runs = service.runCommands("backfill_stripe.py", settings, folder);

    assertThat(runs)
        .extracting(BackfillRun::output)
        .containsExactly(
            List.of("stripe events resend --live --webhook-endpoint=we_123456 " + id("b")));
  }

  /** An id that no other test has. */
  private String id(String name) {
    return prefix + "-" + name;
  }

  private BackfillRun backfill(String... options) throws IOException, InterruptedException {
    return service.run("backfill_stripe.py", List.of(options), settings(), folder);
  }

  private Map<String, String> settings() {
    Map<String, String> settings = service.settings();
    settings.put("STRIPE_API_URL", stripe.endpoint().toString());
    settings.put("STRIPE_API_KEY", StandInStripe.KEY);
    return settings;
  }
}
