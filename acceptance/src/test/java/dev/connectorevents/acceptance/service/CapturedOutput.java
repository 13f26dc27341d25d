package dev.connectorevents.acceptance.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

/**
 * Captures what this process prints until it is closed: the functions' log and the runtime's lines.
 */
public final class CapturedOutput implements AutoCloseable {

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  public CapturedOutput() {
    PrintStream both = new PrintStream(written, true, UTF_8);
    System.setOut(both);
    System.setErr(both);
  }

  public String text() {
    return written.toString(UTF_8);
  }

  /** The lines. Only a line feed ends a line; a carriage return belongs to its line. */
  public List<String> lines() {
    return List.of(text().split("(?<=\n)", -1)).stream()
        .map(line -> line.replaceFirst("\n$", ""))
        .filter(line -> !line.isEmpty())
        .toList();
  }

  public void clear() {
    written.reset();
  }

  @Override
  public void close() {
    System.setOut(out);
    System.setErr(err);
    out.print(text());
  }
}
