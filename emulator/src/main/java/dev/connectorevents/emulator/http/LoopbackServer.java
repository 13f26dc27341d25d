package dev.connectorevents.emulator.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/**
 * An HTTP server that neither other machines nor web pages of other sites can use; a virtual thread
 * serves each request.
 */
public final class LoopbackServer implements AutoCloseable {
  static {
    // Has to be set before the server's classes load; an answer takes 40 ms longer without it.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final ExecutorService threads;

  private LoopbackServer(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Takes the port, and lets clients wait until there are handlers.
   *
   * @param port 0 for any free one
   * @throws IOException when the port is taken, saying so
   */
  public static LoopbackServer bind(int port) throws IOException {
    return bind(port, HttpServer.create());
  }

  /** On any free port, over TLS; its certificate has to be one for localhost. */
  public static LoopbackServer bind(SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create();
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return bind(0, server);
  }

  private static LoopbackServer bind(int port, HttpServer server) throws IOException {
    try {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      var threads = Executors.newVirtualThreadPerTaskExecutor();
      server.setExecutor(threads);
      return new LoopbackServer(server, threads);
    } catch (BindException e) {
      throw new IOException("port " + port + " is taken", e);
    }
  }

  /** Begins to answer; the handlers are chosen by the beginning of the path. */
  public void serve(Map<String, HttpHandler> handlers) {
    handlers.forEach((path, handler) -> server.createContext(path, guarded(handler)));
    server.start();
  }

  public URI endpoint() {
    String host = server instanceof HttpsServer ? "https://localhost:" : "http://127.0.0.1:";
    return URI.create(host + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static HttpHandler guarded(HttpHandler handler) {
    return exchange -> {
      try (exchange) {
        handle(exchange, handler);
      } catch (IOException e) {
        // The client has gone: there is nobody left to tell.
      } catch (RuntimeException e) {
        e.printStackTrace();
        fail(exchange);
      }
    };
  }

  private static void handle(HttpExchange exchange, HttpHandler handler) throws IOException {
    Optional<Answer> refusal =
        LoopbackOnly.refusal(values(exchange, "Host"), values(exchange, "Origin"));
    if (refusal.isPresent()) {
      RequestBody.discard(exchange);
      refusal.get().send(exchange);
    } else {
      handler.handle(exchange);
    }
  }

  private static List<String> values(HttpExchange exchange, String header) {
    return exchange.getRequestHeaders().getOrDefault(header, List.of());
  }

  private static void fail(HttpExchange exchange) throws IOException {
    if (exchange.getResponseCode() < 0) {
      exchange.sendResponseHeaders(500, -1);
    }
  }
}
