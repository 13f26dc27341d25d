package dev.connectorevents.bench.coldstart;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Optional;

/**
 * A connection from a function's process. What is measured begins and ends here, so it does no more
 * than it must: one write an answer, and no thread in between.
 */
final class RuntimeConnection implements Closeable {

  // Only so that a hanging process ends the bench.
  private static final int PATIENCE_MS = 60_000;

  private static final String LINE_END = "\r\n";

  private final Socket socket;
  private final InputStream input;

  RuntimeConnection(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MS);
    input = new BufferedInputStream(socket.getInputStream());
  }

  /** The next request, or empty when the process has closed the connection. */
  Optional<RuntimeRequest> read() throws IOException {
    return RuntimeRequest.read(input);
  }

  /**
   * Answers a request.
   *
   * @param headers further ones, each with its line's end
   */
  void answer(String status, String headers, byte[] body) throws IOException {
    String head =
        "HTTP/1.1 "
            + status
            + LINE_END
            // The runtime's native part crashes without it.
            + "Content-Type: application/json"
            + LINE_END
            + "Content-Length: "
            + body.length
            + LINE_END
            + headers
            + LINE_END;
    ByteArrayOutputStream answer = new ByteArrayOutputStream(head.length() + body.length);
    answer.writeBytes(head.getBytes(UTF_8));
    answer.writeBytes(body);
    socket.getOutputStream().write(answer.toByteArray());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
