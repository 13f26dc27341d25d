package dev.connectorevents.bench.logins;

import dev.connectorevents.bench.MarkdownTable;
import dev.connectorevents.local.LocalOptions;
import dev.connectorevents.local.LocalService;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The command behind `bench/run logins`. */
public final class Logins {

  private static final int WARM_UPS = 10;
  private static final int MEASUREMENTS = 30;

  private Logins() {}

  /** Takes the template; exits with 2 when a login did not end as it should. */
  public static void main(String[] arguments) {
    PrintStream output = System.out;
    System.setOut(System.err); // where the functions' log goes, so that the table is alone
    try (LocalService service = LocalService.start(LocalOptions.inMemory(template(arguments)));
        Guesser guesser = new Guesser(service.baseUrl())) {
      output.print(measure(guesser));
    } catch (IOException | RuntimeException e) {
      System.err.println("bench/run logins: " + e.getMessage());
      System.exit(2);
    }
  }

  private static Path template(String[] arguments) {
    if (arguments.length != 2 || !arguments[0].equals("--template")) {
      throw new IllegalArgumentException("it takes no arguments");
    }
    return Path.of(arguments[1]);
  }

  /** In turns: what else this machine does then falls on both alike. */
  private static String measure(Guesser guesser) throws IOException {
    List<Duration> known = new ArrayList<>();
    List<Duration> unknown = new ArrayList<>();
    for (int i = 0; i < WARM_UPS + MEASUREMENTS; i++) {
      Duration ofKnown = guesser.guess(Guesser.KNOWN);
      Duration ofUnknown = guesser.guess("nobody-" + i + "@example.com");
      if (i >= WARM_UPS) {
        known.add(ofKnown);
        unknown.add(ofUnknown);
      }
    }
    return table(Times.of(known), Times.of(unknown));
  }

  private static String table(Times known, Times unknown) {
    return new MarkdownTable(
            List.of("a login that fails", "median", "fastest", "slowest"),
            List.of(row("wrong password", known), row("unknown address", unknown)))
        + "\nunknown address / wrong password: "
        + MarkdownTable.figure("%.3f", unknown.median() / known.median())
        + "\n";
  }

  private static List<String> row(String name, Times times) {
    return List.of(name, ms(times.median()), ms(times.fastest()), ms(times.slowest()));
  }

  private static String ms(double milliseconds) {
    return MarkdownTable.figure("%.2f ms", milliseconds);
  }
}
