package dev.connectorevents.bench.coldstart;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Where the process of one function fetches its events and brings its answers.
 *
 * <p>The connection on which it asks for its first event becomes that of {@link #ready}, and is
 * nobody else's from then on. On the others it says that it is to be restored, or what failed.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html">Runtime API</a>
 */
final class RuntimeApi implements AutoCloseable {

  static final byte[] DONE = "{\"status\":\"OK\"}".getBytes(UTF_8);

  /**
   * A process that waits for its first event.
   *
   * @param at when it asked for it, as {@link System#nanoTime}
   */
  record Ready(RuntimeConnection connection, long at) {}

  private final ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  private final CompletableFuture<RuntimeConnection> suspended = new CompletableFuture<>();
  private final CompletableFuture<Ready> ready = new CompletableFuture<>();

  /** What failed first. */
  private final CompletableFuture<String> failure = new CompletableFuture<>();

  RuntimeApi() throws IOException {
    Thread.ofPlatform().daemon().start(this::accept);
  }

  /** As AWS_LAMBDA_RUNTIME_API has it. */
  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** Completes when the process has come to where Lambda takes the snapshot. */
  CompletableFuture<RuntimeConnection> suspended() {
    return suspended;
  }

  /** Completes when the process has started. */
  CompletableFuture<Ready> ready() {
    return ready;
  }

  CompletableFuture<String> failure() {
    return failure;
  }

  /** Ends the wait for whatever was waited for. */
  void fail(String what) {
    failure.complete(what);
    IllegalStateException failed = new IllegalStateException(what);
    suspended.completeExceptionally(failed);
    if (!ready.completeExceptionally(failed) && !ready.isCompletedExceptionally()) {
      close(ready.join().connection());
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
    try {
      RuntimeConnection connection = new RuntimeConnection(socket);
      Optional<RuntimeRequest> request = connection.read();
      while (request.isPresent()) {
        String operation = request.get().operation();
        if (operation.equals("invocation/next")) {
          ready.complete(new Ready(connection, System.nanoTime()));
          return;
        }
        if (operation.equals("restore/next")) {
          suspended.complete(connection);
        } else {
          fail(operation + ": " + request.get().body());
          connection.answer("202 Accepted", "", DONE);
        }
        request = connection.read();
      }
    } catch (IOException e) {
      // The process is gone, which its end tells.
    }
  }

  private static void close(RuntimeConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // It could not be more closed.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    if (ready.isDone() && !ready.isCompletedExceptionally()) {
      ready.join().connection().close();
    }
  }
}
