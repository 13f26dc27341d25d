package dev.connectorevents.functions.operators.restore;

import dev.connectorevents.erasure.ErasureLedger;
import dev.connectorevents.erasure.ErasureLedger.Run;
import dev.connectorevents.erasure.SaltedHash;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.token.RandomText;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes runs on, step by step. Where a step begins is in the ledger: a caller who makes up a {@code
 * next} can neither skip a step nor say what a run rests on.
 */
final class RunSteps {

  /** In characters. */
  private static final int SALT_LENGTH = 32;

  private final ErasureLedger ledger;
  private final EventIds newIds;
  private final RandomGenerator random;
  private final InstantSource clock;

  RunSteps(ErasureLedger ledger, EventIds newIds, RandomGenerator random, InstantSource clock) {
    this.ledger = ledger;
    this.newIds = newIds;
    this.random = random;
    this.clock = clock;
  }

  /** What a caller goes on with. As text, {@code <run>:<step>}. */
  record Next(UUID run, int step) {

    private static final Pattern SHAPE = Pattern.compile("([0-9a-f-]{36}):([1-9][0-9]{0,8})");

    static Optional<Next> parse(String text) {
      Matcher shape = SHAPE.matcher(text);
      return shape.matches()
          ? EventIds.parse(shape.group(1))
              .map(run -> new Next(run, Integer.parseInt(shape.group(2))))
          : Optional.empty();
    }

    String text() {
      return run + ":" + step;
    }
  }

  /**
   * What a caller asks for.
   *
   * @param digest of the request without its {@code next}
   */
  record Asked(String kind, String digest, Optional<Next> next) {}

  /**
   * The run that a caller goes on with, at its open step: a step that is past is not made again.
   * Empty if the ledger knows no such step of this request.
   */
  Optional<Run> find(Asked asked) {
    return asked
        .next()
        .flatMap(next -> ledger.run(next.run()).filter(run -> next.step() <= run.step()))
        .filter(run -> run.kind().equals(asked.kind()) && run.request().isOf(asked.digest()));
  }

  /**
   * Writes where a call has ended.
   *
   * @param run empty if it was the first call
   * @param place where the next call begins; empty after the last one
   * @return what the next call sends; empty if all is done
   */
  Optional<Next> end(Asked asked, Optional<Run> run, Optional<String> place) {
    if (run.isEmpty()) {
      return place.map(_ -> begin(asked, place));
    }
    boolean isThere = run.get().place().equals(place); // it waits, or has ended
    Run now = isThere ? run.get() : ledger.move(run.get(), place);
    return now.place().map(_ -> new Next(now.id(), now.step()));
  }

  private Next begin(Asked asked, Optional<String> place) {
    SaltedHash request = SaltedHash.of(asked.digest(), RandomText.of(SALT_LENGTH, random));
    Instant begun = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Run run = new Run(newIds.next(), asked.kind(), request, begun, 1, place);
    ledger.begin(run);
    return new Next(run.id(), run.step());
  }
}
