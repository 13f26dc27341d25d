package dev.connectorevents.functions.numberevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.MarkNote;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.functions.numberevents.NumberEvents.Numberable;
import dev.connectorevents.functions.numberevents.NumberEvents.Numbered;
import dev.connectorevents.functions.numberevents.StreamBatch.Image;
import dev.connectorevents.functions.resilience.RequestDeadline;
import dev.connectorevents.functions.snapshot.Rehearsal;
import dev.connectorevents.functions.snapshot.RehearsalScript;
import dev.connectorevents.functions.wiring.Wiring;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Lambda function for {@link NumberEvents}: Lambda calls it with what the stream of the events
 * table has. If it throws, Lambda calls it again with the same records, and hands over no later
 * ones of the shard before it succeeds.
 */
public final class NumberEventsFunction implements RequestStreamHandler {

  /** What Lambda demands of a function with a tumbling window. It keeps no state between calls. */
  private static final byte[] ANSWER = "{\"state\":{}}".getBytes(UTF_8);

  private final NumberEvents numberEvents;
  private final String onlyShard;
  private final InstantSource clock;

  @SuppressWarnings("unused") // keeps it reachable: CRaC's registry has only weak references
  private final Optional<Rehearsal> rehearsal;

  public NumberEventsFunction() {
    this(System.getenv());
  }

  public NumberEventsFunction(Map<String, String> environment) {
    Wiring wiring = new Wiring(environment);
    this(
        numberEvents(wiring),
        wiring.onlyShard(),
        wiring.clock(),
        Optional.of(
            Rehearsal.registered(
                environment,
                wiring,
                NumberEventsFunction::new,
                RehearsalScript::numberEvents,
                () -> {})));
  }

  /** Numbers with parts of this wiring, and rehearses nothing. */
  public NumberEventsFunction(Wiring wiring) {
    this(numberEvents(wiring), wiring.onlyShard(), wiring.clock());
  }

  NumberEventsFunction(NumberEvents numberEvents, String onlyShard, InstantSource clock) {
    this(numberEvents, onlyShard, clock, Optional.empty());
  }

  private NumberEventsFunction(
      NumberEvents numberEvents,
      String onlyShard,
      InstantSource clock,
      Optional<Rehearsal> rehearsal) {
    this.numberEvents = numberEvents;
    this.onlyShard = onlyShard;
    this.clock = clock;
    this.rehearsal = rehearsal;
  }

  private static NumberEvents numberEvents(Wiring wiring) {
    return new NumberEvents(
        wiring.feedAppends(), wiring.random(), wiring.clock(), wiring.waiting());
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    StreamBatch batch = StreamBatch.read(input.readAllBytes(), onlyShard);
    if (!batch.records().isEmpty()) { // the last call of a window has none
      Map<String, Object> line = LogLine.begin(context);
      try {
        Duration timeLeft = Duration.ofMillis(context.getRemainingTimeInMillis());
        log(RequestDeadline.within(timeLeft, () -> number(batch, line)), batch, line);
      } catch (RuntimeException e) {
        line.put("error", LogLine.error(e));
        throw e;
      } finally {
        context.getLogger().log(LogLine.of(line));
      }
    }
    output.write(ANSWER);
  }

  /** An image that cannot be read must not stop the shard. An alarm tells of it. */
  private Numbered number(StreamBatch batch, Map<String, Object> line) {
    List<Numberable> all = new ArrayList<>();
    Map<Integer, MarkNote> marks = new LinkedHashMap<>(); // of several beats, the last
    List<String> unreadable = new ArrayList<>();
    for (StreamBatch.StreamRecord record : batch.records()) {
      switch (record.image().orElse(null)) {
        case Image.Kept(FeedEntry entry) -> all.add(new Numberable(record.number(), entry));
        case Image.Unreadable(String id, RuntimeException failure) -> {
          unreadable.add(LogLine.shortened(id));
          line.put("error", LogLine.error(failure));
        }
        case Image.Marked(MarkNote note) -> marks.put(note.mark(), note);
        case null -> {} // none of these
      }
    }
    if (!unreadable.isEmpty()) {
      line.put("unreadable", unreadable.size());
      line.put("unreadable_ids", unreadable.stream().limit(10).toList());
    }
    Numbered numbered = numberEvents.number(batch.shard(), all);
    numberEvents.note(List.copyOf(marks.values())); // only now: all before is numbered
    if (!marks.isEmpty()) {
      line.put("marks", marks.size());
    }
    return numbered;
  }

  private void log(Numbered numbered, StreamBatch batch, Map<String, Object> line) {
    line.put("numbered", numbered.entries());
    numbered.first().ifPresent(first -> line.put("first_position", first));
    line.put("age_ms", age(batch).toMillis());
    if (numbered.conflicts() > 0) {
      line.put("conflicts", numbered.conflicts());
    }
  }

  /** How long ago the oldest record of a batch was written. */
  private Duration age(StreamBatch batch) {
    return Duration.between(batch.records().getFirst().writtenAt(), clock.instant());
  }
}
