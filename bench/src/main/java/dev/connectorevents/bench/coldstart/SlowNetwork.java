package dev.connectorevents.bench.coldstart;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Forwards each connection to a server on this machine, and delays the bytes in both directions.
 */
final class SlowNetwork implements AutoCloseable {

  /**
   * The delay of a request and its answer together. The TCP handshake adds the same delay once
   * more. Each chunk of at most {@link #CHUNK_BYTES} takes half this delay, so a larger answer
   * takes longer.
   */
  static final Duration ROUND_TRIP = Duration.ofMillis(1);

  private static final int CHUNK_BYTES = 64 << 10;

  private final URI server;
  private final ServerSocket listener;

  /** Starts to listen on a free port. */
  SlowNetwork(URI server) throws IOException {
    this.server = server;
    this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
  }

  /** The address at which clients reach the server through this network. */
  URI endpoint() {
    return URI.create(
        "%s://%s:%d".formatted(server.getScheme(), server.getHost(), listener.getLocalPort()));
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Thread.startVirtualThread(() -> connect(client));
      }
    } catch (IOException e) {
      // This network was closed.
    }
  }

  private void connect(Socket client) {
    try (client;
        Socket other = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
      client.setTcpNoDelay(true);
      other.setTcpNoDelay(true);
      LockSupport.parkNanos(ROUND_TRIP.toNanos()); // the round trip of TCP's handshake
      Thread answers = Thread.startVirtualThread(() -> pass(other, client));
      pass(client, other);
      answers.join();
    } catch (IOException | InterruptedException e) {
      // The client sees a closed connection.
    }
  }

  private static void pass(Socket from, Socket to) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      InputStream input = from.getInputStream();
      OutputStream output = to.getOutputStream();
      for (int size = input.read(chunk); size >= 0; size = input.read(chunk)) {
        LockSupport.parkNanos(ROUND_TRIP.toNanos() / 2);
        output.write(chunk, 0, size);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // One side has closed the connection.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
