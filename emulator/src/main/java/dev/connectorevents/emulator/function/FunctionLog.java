package dev.connectorevents.emulator.function;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.data.PrivateFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Keeps what the functions log, each message with its time, as a log group of CloudWatch does. The
 * operators' commands read it on the API's port. Two files hold it; of what is more, the oldest
 * goes.
 */
public final class FunctionLog implements Consumer<String>, HttpHandler, AutoCloseable {

  /**
   * Answers with a line for each message: its time in milliseconds since 1970, a space, and the
   * message as a JSON string. The query's {@code from}, included, and {@code to}, excluded, limit
   * the time.
   */
  public static final String PATH = "/_log";

  private static final long MOST_BYTES_OF_A_FILE = 50_000_000;
  private static final Pattern LIMITS = Pattern.compile("(?<=^|&)(from|to)=(\\d{1,15})(?=&|$)");

  private final InstantSource clock;
  private final Path file;
  private final Path older;
  private final boolean isTemporary;
  private final long mostBytes;
  private OutputStream output;
  private long size;
  private boolean isClosed;

  private FunctionLog(InstantSource clock, Path file, boolean isTemporary, long mostBytes)
      throws IOException {
    this.clock = clock;
    this.mostBytes = mostBytes;
    this.file = file;
    this.older = file.resolveSibling(file.getFileName() + ".older");
    this.isTemporary = isTemporary;
    this.output = append(file);
    this.size = Files.size(file);
  }

  /**
   * Goes on with the log in this directory. Without one, the log is lost when it is closed.
   *
   * @param clock tells the time of each message
   */
  public static FunctionLog open(InstantSource clock, Optional<Path> data) throws IOException {
    return open(clock, data, MOST_BYTES_OF_A_FILE);
  }

  static FunctionLog open(InstantSource clock, Optional<Path> data, long mostBytes)
      throws IOException {
    return data.isPresent()
        ? new FunctionLog(clock, data.get().resolve("functions.log"), false, mostBytes)
        : new FunctionLog(clock, Files.createTempFile("functions", ".log"), true, mostBytes);
  }

  private static OutputStream append(Path file) throws IOException {
    PrivateFile.create(file);
    return Files.newOutputStream(file, StandardOpenOption.APPEND);
  }

  @Override
  public synchronized void accept(String message) {
    if (isClosed) {
      return; // of a function that had not ended
    }
    String text = new String(JsonStringEncoder.getInstance().quoteAsString(message));
    byte[] line = "%d \"%s\"\n".formatted(clock.millis(), text).getBytes(UTF_8);
    try {
      if (size + line.length > mostBytes) {
        output.close();
        Files.move(file, older, StandardCopyOption.REPLACE_EXISTING);
        output = append(file);
        size = 0;
      }
      output.write(line);
      size += line.length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    Map<String, Long> limits = new HashMap<>(Map.of("from", 0L, "to", Long.MAX_VALUE));
    String query = requireNonNullElse(exchange.getRequestURI().getRawQuery(), "");
    for (MatchResult limit : LIMITS.matcher(query).results().toList()) {
      limits.put(limit.group(1), Long.valueOf(limit.group(2)));
    }
    long from = limits.getOrDefault("from", 0L);
    long to = limits.getOrDefault("to", Long.MAX_VALUE);
    exchange.getResponseHeaders().add("Content-Type", "text/plain; charset=utf-8");
    exchange.sendResponseHeaders(200, 0);
    for (BufferedReader part : parts()) {
      try (part) {
        for (String line = part.readLine(); line != null; line = part.readLine()) {
          long time = Long.parseLong(line, 0, line.indexOf(' '), 10);
          if (from <= time && time < to) {
            exchange.getResponseBody().write((line + "\n").getBytes(UTF_8));
          }
        }
      }
    }
  }

  /** Both files, opened at the same time: a message may move the newer one. */
  @SuppressWarnings("MustBeClosedChecker") // its reader closes them
  private synchronized List<BufferedReader> parts() throws IOException {
    List<BufferedReader> parts = new ArrayList<>();
    for (Path part : List.of(older, file)) {
      if (Files.exists(part)) {
        parts.add(Files.newBufferedReader(part));
      }
    }
    return parts;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    try {
      output.close();
      if (isTemporary) {
        Files.deleteIfExists(older);
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
