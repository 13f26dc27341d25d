package dev.connectorevents.emulator.dynamodb;

import dev.connectorevents.emulator.data.PrivateFile;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackOnly;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.util.Callback;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * DynamoDB Local in this process, without its own server, which listens on all interfaces, and
 * without its telemetry, which stays off unless configured.
 */
public final class DynamoDbLocal implements AutoCloseable {
  // A static field: a logger that nothing references loses its level.
  private static final Logger SQLITE_LOG = Logger.getLogger("com.almworks.sqlite4java");

  // Each constructor replaces the handler's static maps of operations and fills them again: a
  // request meanwhile finds them half full, and two constructors at once spoil them for good.
  private static final ReadWriteLock OPERATIONS = new ReentrantReadWriteLock();

  /** Its file, with the option -sharedDb. */
  private static final String DATABASE = "shared-local-instance.db";

  private final Server server;
  private final LocalDynamoDBServerHandler handler;

  private DynamoDbLocal(Server server, LocalDynamoDBServerHandler handler) {
    this.server = server;
    this.handler = handler;
  }

  /**
   * Starts it on loopback.
   *
   * @param port 0 for any free one
   * @param directory for its file; without it, the data stays in memory
   * @throws IOException when the port is taken
   */
  public static DynamoDbLocal start(int port, Optional<Path> directory) throws IOException {
    NativeSqlite.provide();
    SQLITE_LOG.setLevel(Level.WARNING);
    if (directory.isPresent()) {
      PrivateFile.create(directory.get().resolve(DATABASE)); // SQLite keeps its permissions
    }
    LocalDynamoDBRequestHandler requests =
        new LocalDynamoDBRequestHandler(
            0, directory.isEmpty(), directory.map(Path::toString).orElse(null), true, false);
    LocalDynamoDBServerHandler handler = handler(requests);
    Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    server.setHandler(new Guard(new ContextHandler(handler, "/")));
    try {
      server.start();
    } catch (Exception e) {
      handler.close();
      throw new IOException(
          isTaken(e) ? "port " + port + ", DynamoDB's, is taken" : "DynamoDB Local failed", e);
    }
    return new DynamoDbLocal(server, handler);
  }

  private static LocalDynamoDBServerHandler handler(LocalDynamoDBRequestHandler requests) {
    OPERATIONS.writeLock().lock();
    try {
      return new LocalDynamoDBServerHandler(requests, null);
    } finally {
      OPERATIONS.writeLock().unlock();
    }
  }

  private static boolean isTaken(Throwable e) {
    return e instanceof BindException || (e.getCause() != null && isTaken(e.getCause()));
  }

  public URI endpoint() {
    ServerConnector connector = (ServerConnector) server.getConnectors()[0];
    return URI.create("http://127.0.0.1:" + connector.getLocalPort());
  }

  /** DynamoDB Local itself checks neither host nor origin. */
  private static final class Guard extends Handler.Wrapper {
    Guard(Handler handler) {
      super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      HttpFields headers = request.getHeaders();
      Optional<HttpAnswer> refusal =
          LoopbackOnly.refusal(
              headers.getValuesList(HttpHeader.HOST), headers.getValuesList(HttpHeader.ORIGIN));
      if (refusal.isEmpty()) {
        OPERATIONS.readLock().lock();
        try {
          return super.handle(request, response, callback);
        } finally {
          OPERATIONS.readLock().unlock();
        }
      }
      HttpAnswer answer = refusal.get();
      response.setStatus(answer.status());
      answer.headers().forEach(each -> response.getHeaders().add(each.getKey(), each.getValue()));
      response.write(true, ByteBuffer.wrap(answer.body()), callback);
      return true;
    }
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("DynamoDB Local does not stop", e);
    } finally {
      handler.close();
    }
  }
}
