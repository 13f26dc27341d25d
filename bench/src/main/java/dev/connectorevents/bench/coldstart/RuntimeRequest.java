package dev.connectorevents.bench.coldstart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request that a function's process makes of the Runtime API.
 *
 * @param operation the path below the API's version, such as {@code invocation/next}
 */
record RuntimeRequest(String operation, String body) {

  private static final String PATH = "/2018-06-01/runtime/";

  /** Reads the next one, if there is a next one. */
  static Optional<RuntimeRequest> read(InputStream input) throws IOException {
    String requestLine = line(input);
    if (requestLine.isEmpty()) {
      return Optional.empty();
    }
    String path = requestLine.split(" ", -1)[1];
    if (!path.startsWith(PATH)) {
      throw new IOException("not of the Runtime API: " + requestLine);
    }
    Map<String, String> headers = headers(input);
    return Optional.of(
        new RuntimeRequest(path.substring(PATH.length()), new String(body(input, headers), UTF_8)));
  }

  private static Map<String, String> headers(InputStream input) throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (String line = line(input); !line.isEmpty(); line = line(input)) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private static byte[] body(InputStream input, Map<String, String> headers) throws IOException {
    return headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")
        ? chunks(input)
        : exactly(Integer.parseInt(headers.getOrDefault("content-length", "0")), input);
  }

  /** RFC 9112, 7.1; the runtime sends no extensions and no trailer fields. */
  private static byte[] chunks(InputStream input) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = chunkSize(input); size > 0; size = chunkSize(input)) {
      body.write(exactly(size, input));
      line(input);
    }
    line(input);
    return body.toByteArray();
  }

  private static int chunkSize(InputStream input) throws IOException {
    return Integer.parseInt(line(input), 16);
  }

  private static byte[] exactly(int bytes, InputStream input) throws IOException {
    byte[] read = input.readNBytes(bytes);
    if (read.length < bytes) {
      throw new EOFException("the connection was closed within a request");
    }
    return read;
  }

  /** Up to the line's end, which is left out; empty at the end of the stream. */
  private static String line(InputStream input) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(128);
    for (int next = input.read(); next >= 0 && next != '\n'; next = input.read()) {
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(ISO_8859_1);
  }
}
