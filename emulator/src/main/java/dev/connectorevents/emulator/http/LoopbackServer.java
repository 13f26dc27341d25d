package dev.connectorevents.emulator.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/**
 * An HTTP server that neither other machines nor web pages of other sites can use. Each request
 * runs in a virtual thread of its own.
 */
public final class LoopbackServer implements AutoCloseable {
  static {
    // The server reads both when its classes load. Without TCP_NODELAY an answer takes 40 ms
    // longer.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    // It closes what is idle beyond 200 connections after an answer, without a word: a client that
    // has just sent its next request there gets no answer.
    System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
  }

  private static final HttpHandler NOT_FOUND =
      exchange -> new HttpAnswer(404, List.of(), new byte[0]).send(exchange);

  private final HttpServer server;
  private final ExecutorService threads;

  private LoopbackServer(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Opens the port. Clients can connect, and wait until {@link #serve}.
   *
   * @param port 0 for any free one
   * @throws IOException when the port is taken
   */
  public static LoopbackServer bind(int port) throws IOException {
    return bind(port, HttpServer.create());
  }

  /** Opens any free port for TLS, with a certificate for localhost. */
  public static LoopbackServer bind(SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create();
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return bind(0, server);
  }

  /** Answers all requests at any free port. */
  public static LoopbackServer answering(HttpHandler handler) {
    try {
      LoopbackServer server = bind(0);
      server.serve(Map.of("/", handler));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static LoopbackServer bind(int port, HttpServer server) throws IOException {
    try {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
      server.setExecutor(threads);
      return new LoopbackServer(server, threads);
    } catch (BindException e) {
      throw new IOException("port " + port + " is taken", e);
    }
  }

  /** Starts to answer. The longest matching prefix of the path selects the handler. */
  public void serve(Map<String, HttpHandler> handlers) {
    HttpHandler selected =
        exchange -> byLongestPrefix(handlers, exchange.getRequestURI().getPath()).handle(exchange);
    server.createContext("/", guarded(DoubleSlashes.asPath(selected)));
    server.start();
  }

  /** The server's own selection would take //x/y for /y. */
  private static HttpHandler byLongestPrefix(Map<String, HttpHandler> handlers, String path) {
    return handlers.keySet().stream()
        .filter(path::startsWith)
        .max(Comparator.comparingInt(String::length))
        .map(handlers::get)
        .orElse(NOT_FOUND);
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
        answerOrFail(exchange, handler);
      }
    };
  }

  private static void answerOrFail(HttpExchange exchange, HttpHandler handler) throws IOException {
    try {
      refuseOrHandle(exchange, handler);
    } catch (IOException e) {
      // The client has disconnected.
    } catch (RuntimeException e) {
      e.printStackTrace();
      fail(exchange);
    }
  }

  private static void refuseOrHandle(HttpExchange exchange, HttpHandler handler)
      throws IOException {
    Optional<HttpAnswer> refusal =
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
