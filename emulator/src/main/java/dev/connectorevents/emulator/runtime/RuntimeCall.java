package dev.connectorevents.emulator.runtime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;

/**
 * A request that a function's process makes of the Runtime API, in as much of HTTP/1.1 as Lambda's
 * runtime speaks.
 *
 * @param operation the path below the API's version, such as {@code invocation/next}
 * @param client takes the answer
 */
record RuntimeCall(String operation, String body, OutputStream client) {
  private static final String PATH = "/2018-06-01/runtime/";

  /**
   * Reads the next request of a connection; empty when the process has closed it.
   *
   * @throws IOException if the request breaks off, or is none of the Runtime API's
   */
  static Optional<RuntimeCall> read(InputStream input, OutputStream client) throws IOException {
    String requestLine = line(input);
    if (requestLine.isEmpty()) {
      return Optional.empty();
    }
    String path = requestLine.split(" ", -1)[1];
    if (!path.startsWith(PATH)) {
      throw new IOException("not of the Runtime API: " + requestLine);
    }
    return Optional.of(new RuntimeCall(path.substring(PATH.length()), body(input), client));
  }

  /** The runtime sends the length of every body, and never sends one in chunks. */
  private static String body(InputStream input) throws IOException {
    int length = 0;
    for (String line = line(input); !line.isEmpty(); line = line(input)) {
      String header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("content-length:")) {
        length = Integer.parseInt(header.substring(header.indexOf(':') + 1).strip());
      } else if (header.startsWith("transfer-encoding:")) {
        throw new IOException("a body without a length: " + line);
      }
    }
    byte[] body = input.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the connection was closed within a request");
    }
    return new String(body, UTF_8);
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

  /**
   * Answers, in a single write.
   *
   * @param status with its reason, such as {@code 200 OK}
   * @param headers further ones, each with its line's end
   */
  void answer(String status, String headers, byte[] json) throws IOException {
    // The runtime's native part crashes without a Content-Type.
    String head =
        "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n"
            .formatted(status, json.length, headers);
    ByteArrayOutputStream answer = new ByteArrayOutputStream(head.length() + json.length);
    answer.writeBytes(head.getBytes(UTF_8));
    answer.writeBytes(json);
    client.write(answer.toByteArray());
  }
}
