package dev.connectorevents.emulator.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the process of one function fetches its events and brings its answers. The bench measures
 * from here, so a thread reads each connection itself: a server with a pool of threads would add to
 * every time.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html">Runtime API</a>
 */
final class RuntimeApi implements AutoCloseable {
  private static final byte[] DONE = "{\"status\":\"OK\"}".getBytes(UTF_8);

  private final ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  private final Consumer<Report> reports;

  /** The call in which the process waits, to be restored or for an event. */
  private volatile @Nullable RuntimeCall waiting;

  RuntimeApi(Consumer<Report> reports) throws IOException {
    this.reports = reports;
    Thread.ofPlatform().daemon().start(this::accept);
  }

  /** As AWS_LAMBDA_RUNTIME_API has it: host and port. */
  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** Lets the process go on that has reported itself suspended. */
  void restore() {
    send("", DONE);
  }

  /**
   * Gives an event to the process that has reported itself idle.
   *
   * @param headers what Lambda says of the call, each with its line's end
   */
  void send(String headers, byte[] event) {
    RuntimeCall call = requireNonNull(waiting, "the process waits for nothing");
    try {
      call.answer("200 OK", headers, event);
    } catch (IOException e) {
      // The process is gone, and its end will be reported.
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        Thread.ofPlatform().daemon().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed: the process is not needed any more.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream input = new BufferedInputStream(socket.getInputStream());
      Optional<RuntimeCall> call = RuntimeCall.read(input, socket.getOutputStream());
      while (call.isPresent()) {
        reports.accept(report(call.get(), System.nanoTime()));
        call = RuntimeCall.read(input, socket.getOutputStream());
      }
    } catch (IOException e) {
      // The process is gone, and its end will be reported.
    }
  }

  private Report report(RuntimeCall call, long now) throws IOException {
    switch (call.operation()) {
      case "restore/next" -> {
        waiting = call;
        return new Report.Suspended();
      }
      case "invocation/next" -> {
        waiting = call;
        return new Report.Idle(now);
      }
      default -> call.answer("202 Accepted", "", DONE);
    }
    return switch (call.operation()) {
      case "init/error", "restore/error" -> new Report.NotStarted(call.body());
      case String operation when operation.endsWith("/response") ->
          new Report.Answered(call.body(), now);
      default -> new Report.Failed(call.body());
    };
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
