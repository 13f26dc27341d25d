package dev.connectorevents.local.contract;

import dev.connectorevents.emulator.gateway.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Compares each exchange that it receives with the published contract, and notes which lines of the
 * contract it shows.
 */
public final class Traffic implements Consumer<Exchange> {

  /** The lines of the contract that were seen. */
  public static final SeenLines SHOWN = new SeenLines("traffic");

  /** The only instance. The services that tests start pass their exchanges to it. */
  public static final Traffic RECORDED = new Traffic(Contract.published());

  private final Contract contract;
  private final Set<String> documented;
  private final List<String> violations = new ArrayList<>();

  private Traffic(Contract contract) {
    this.contract = contract;
    this.documented = contract.documented().lines();
  }

  @Override
  public synchronized void accept(Exchange exchange) {
    try {
      Exchanged exchanged = Exchanged.of(exchange);
      contract
          .violations(exchanged)
          .forEach(violation -> violations.add(violation + "\n  " + described(exchanged)));
      contract.documented().shownBy(exchanged).stream()
          .filter(documented::contains)
          .forEach(SHOWN::add);
    } catch (RuntimeException e) {
      violations.add("not judged: " + e); // a thrown exception would only be printed
    }
  }

  private static String described(Exchanged exchanged) {
    String text = exchanged.toString();
    return text.substring(0, Math.min(text.length(), 2_000));
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
}
