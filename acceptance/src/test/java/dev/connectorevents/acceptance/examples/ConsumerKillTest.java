package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConsumedFeed.BIG;
import static dev.connectorevents.acceptance.examples.ConsumedFeed.signals;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.examples.ConsumedFeed.Stored;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills {@code examples/consumer.py} while it follows the feed, alone and as several.
 *
 * <p>Slow: a consumer is a process, and each kill starts another one.
 */
@Order(1)
class ConsumerKillTest {

  /** How many processes share the work, before twice as many do. */
  private static final int SHARES = Nightly.choose(2, 4);

  @TempDir private Path folder;

  @AutoClose private final World world = World.start();

  private ConsumedFeed feed;

  @BeforeEach
  void logIn() throws Exception {
    feed = new ConsumedFeed(world, folder);
  }

  @Test
  @Promise("nothing is lost or counted twice.")
  void a_kill_before_any_line_loses_nothing_and_counts_nothing_twice() throws Exception {
    Stored alone = feed.store("alone", "a.x", "");
    Stored erased = feed.store("acme", "a.x", "");
    Stored kept = feed.store("acme", "a.x", "");
    world.number();
    Consumer before = feed.consumer("before");
    assertThat(before.readAll().exitCode()).isZero();
    assertThat(before.signals()).isEqualTo(signals(alone, erased, kept));
    Stored large = feed.store("acme", "a.x", Texts.noise(BIG));
    Stored other = feed.store("acme", "a.y", "");
    feed.post("{\"event_type\":\"" + feed.own + ".x\",\"payload\":{}}"); // of no brand
    feed.erase(alone, erased);
    world.number();

    Set<String> killedIn = new TreeSet<>();
    boolean isKilled = true;
    for (int line = 0; isKilled; line += Nightly.choose(97, 1)) {
      Consumer consumer = feed.consumer("line-" + line);
      Files.copy(before.file(), consumer.file());
      ScriptRun killed = consumer.killedAt(line);
      isKilled = killed.exitCode() != 0;
      killedIn.addAll(killed.errors());

      assertThat(consumer.readAll().errors()).as("after %s", killed.errors()).isEmpty();
      assertThat(consumer.signals())
          .as("after %s", killed.errors())
          .isEqualTo(signals(kept, large, other));
    }
    assertThat(killedIn)
        .as("the functions in which it was killed")
        .allMatch(line -> line.startsWith("killed in "))
        .hasSizeGreaterThan(Nightly.choose(2, 10));
  }

  @Test
  @Promise("**To share the work**, start several processes, each with a file")
  void shares_that_are_killed_have_together_each_event_once_and_a_brand_is_in_one()
      throws Exception {
    world.numbering();
    Set<String> ids = ConcurrentHashMap.newKeySet();
    List<Consumer> shares = shares();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> works = new ArrayList<>();
      for (Consumer share : shares) {
        works.add(threads.submit(() -> kill(share, new Random(shares.indexOf(share)))));
      }
      for (int writer = 0; writer < 4; writer++) {
        String brand = "brand-" + writer + "-";
        works.add(threads.submit(() -> write(brand, ids)));
      }
      for (Future<?> work : works) {
        work.get();
      }
    }
    world.number();

    judge(shares, ids);
    judge(halvesOf(shares, ids), ids);
    Consumer first = shares.getFirst();
    assertThat(new Consumer(first.file(), first.settings()).readAll().errors())
        .containsExactly(first.file() + " is of share 1/" + SHARES + ": take a new file");
  }

  private Void kill(Consumer share, Random random) throws Exception {
    for (int kill = 0; kill < Nightly.choose(1, 60); kill++) {
      Process process = share.start();
      Thread.sleep(300 + random.nextInt(700));
      process.destroyForcibly().waitFor();
    }
    return null;
  }

  /** Stores events of three brands, and erases some. */
  private Void write(String brand, Set<String> ids) {
    for (int i = 0; i < Nightly.choose(20, 600); i++) {
      Stored event = feed.store(brand + i % 3, "a.x", "");
      ids.add(event.id());
      if (i % 7 == 0) {
        feed.erase(event);
        ids.remove(event.id());
      }
    }
    return null;
  }

  /**
   * From some readers to twice as many, one after another: each goes on as two, on copies of its
   * file, while events come.
   */
  private List<Consumer> halvesOf(List<Consumer> shares, Set<String> ids) throws Exception {
    List<Consumer> halves = new ArrayList<>();
    for (int part = 1; part <= SHARES; part++) {
      for (int half : List.of(part, part + SHARES)) {
        Consumer after = share(half, 2 * SHARES);
        Files.copy(shares.get(part - 1).file(), after.file());
        halves.add(after);
      }
      for (int brand = 0; brand < 9; brand++) {
        ids.add(feed.store("brand-" + brand % 4 + "-" + brand % 3, "a.x", "").id());
      }
      world.number();
      for (Consumer reader : Stream.concat(shares.stream().skip(part), halves.stream()).toList()) {
        assertThat(reader.readAll().errors()).isEmpty();
      }
    }
    return halves;
  }

  private List<Consumer> shares() {
    return IntStream.rangeClosed(1, SHARES).mapToObj(part -> share(part, SHARES)).toList();
  }

  private Consumer share(int part, int parts) {
    return feed.consumer(part + "-of-" + parts).of(part + "/" + parts);
  }

  /** Lets each share read all, and judges what they have together. */
  private void judge(List<Consumer> shares, Set<String> ids) throws Exception {
    Map<String, Long> positions = feed.positions();
    List<String> all = new ArrayList<>();
    Map<String, Consumer> ofBrand = new HashMap<>();
    for (Consumer share : shares) {
      assertThat(share.readAll().errors()).isEmpty();
      Map<String, Long> last = new HashMap<>();
      for (String row : share.sql("SELECT brand_id, id FROM events ORDER BY rowid")) {
        String[] event = row.split(" ", -1);
        all.add(event[1]);
        assertThat(ofBrand.computeIfAbsent(event[0], brand -> share)).as(row).isSameAs(share);
        Long before = last.put(event[0], positions.get(event[1]));
        assertThat(before == null ? 0L : before).as(row).isLessThan(positions.get(event[1]));
      }
    }
    assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
  }
}
