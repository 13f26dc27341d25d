package dev.connectorevents.bench.bill;

import dev.connectorevents.local.LocalOptions;
import dev.connectorevents.local.LocalService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The command behind `bench/run bill`. */
public final class Bill {

  private Bill() {}

  /** Exits with 1 when a payload was not stored, with 2 when it was asked for something else. */
  public static void main(String[] arguments) {
    try {
      System.exit(print(CommandLine.parse(List.of(arguments))) ? 0 : 1);
    } catch (IOException | RuntimeException e) {
      System.err.println("bench/run bill: " + e.getMessage());
      System.exit(2);
    }
  }

  private static boolean print(CommandLine asked) throws IOException {
    List<Sample> samples =
        asked.folder().isPresent() ? Sample.of(asked.folder().get()) : Sample.generated();
    List<Metered> events = new ArrayList<>();
    try (LocalService service = LocalService.start(LocalOptions.inMemory(asked.template()));
        Meter meter = new Meter(service.dynamoDbEndpoint(), EventsTable.of(service.template()))) {
      for (Sample sample : samples) {
        try {
          events.add(meter.measure(sample));
        } catch (IllegalArgumentException e) {
          System.err.println(sample.name() + " is not stored: " + e.getMessage());
        }
      }
      Assumptions assumptions =
          new Assumptions(
              EventsTable.writer(service.template()).memoryMb(),
              asked.durationMs(),
              asked.eventsPerSecond(),
              asked.logBytes());
      System.out.print(new BillText(events, assumptions));
    }
    return events.size() == samples.size();
  }
}
