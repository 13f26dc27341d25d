package dev.connectorevents.local.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.emulator.gateway.Exchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Compares each exchange that it receives with the published contract. Writes some exchanges of
 * each kind to a file, which {@code ContractCoverageTest} and {@code MutationsTest} read.
 */
public final class Traffic implements Consumer<Exchange> {

  /** The only instance. The services that tests start pass their exchanges to it. */
  public static final Traffic RECORDED = new Traffic(Contract.published(), folder());

  /**
   * The most exchanges of one kind to write. A kind shows the same lines of the contract, and the
   * same pointers to faults.
   */
  private static final int MOST_OF_A_KIND = 400;

  private final Contract contract;
  private final Path file;
  private final List<String> violations = new ArrayList<>();
  private final Set<Exchanged> kept = new HashSet<>();
  private final Map<Set<String>, Integer> kinds = new HashMap<>();

  private Traffic(Contract contract, Path folder) {
    this.contract = contract;
    this.file = folder.resolve(ProcessHandle.current().pid() + ".jsonl");
  }

  /** The folder for the files of this build. All processes of one build share it. */
  static Path folder() {
    return Path.of("../local/target/traffic", System.getProperty("traffic.build", "alone"));
  }

  @Override
  public synchronized void accept(Exchange exchange) {
    try {
      Exchanged exchanged = Exchanged.of(exchange);
      contract
          .violations(exchanged)
          .forEach(violation -> violations.add(violation + "\n  " + described(exchanged)));
      keep(exchanged);
    } catch (RuntimeException e) {
      violations.add("not judged: " + e); // a thrown exception would only be printed
    }
  }

  private static String described(Exchanged exchanged) {
    String text = exchanged.toString();
    return text.substring(0, Math.min(text.length(), 2_000));
  }

  private void keep(Exchanged exchanged) {
    Set<String> kind = contract.documented().shownBy(exchanged);
    exchanged
        .answerBody()
        .path("errors")
        .forEach(error -> kind.add(error.path("pointer").asText()));
    if (kinds.getOrDefault(kind, 0) < MOST_OF_A_KIND && kept.add(exchanged)) {
      kinds.merge(kind, 1, Integer::sum);
      write(exchanged);
    }
  }

  private void write(Exchanged exchanged) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(
          file,
          Exchanged.JSON.writeValueAsString(exchanged) + "\n",
          UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Fails if an exchange since the last call contradicted the contract.
   *
   * @throws AssertionError with the number of violations and the first five
   */
  public synchronized void requireNoViolation() {
    List<String> found = List.copyOf(violations);
    violations.clear();
    if (!found.isEmpty()) {
      throw new AssertionError(
          found.size()
              + " violations of docs/openapi.yaml, the first of them:\n"
              + String.join("\n", found.subList(0, Math.min(found.size(), 5))));
    }
  }

  /** The exchanges that all processes of this build have written. */
  public static List<Exchanged> read() throws IOException {
    List<Exchanged> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder())) {
      for (Path each : files.toList()) {
        for (String line : Files.readAllLines(each)) {
          all.add(Exchanged.JSON.readValue(line, Exchanged.class));
        }
      }
    }
    return all;
  }
}
