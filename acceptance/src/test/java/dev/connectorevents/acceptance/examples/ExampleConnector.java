package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.local.ServedLocally;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A running connector of {@code examples/}, in Python unless a command starts another. A test
 * delivers webhooks to it, as a provider does. {@code local/exam} examines all of them.
 */
final class ExampleConnector implements AutoCloseable {

  private static final int CHUNK = 4_096;
  private static final Pattern LISTENING = Pattern.compile("listening on port (\\d+)");

  private final Path folder = Files.createTempDirectory("connector");
  private final Path errors = folder.resolve("log");
  private final Path outbox;
  private final Process process;
  private final int port;

  ExampleConnector(URI service, Map<String, String> settings)
      throws IOException, InterruptedException {
    this(python(), service, settings);
  }

  ExampleConnector(List<String> command, URI service, Map<String, String> settings)
      throws IOException {
    Map<String, String> all = new HashMap<>();
    all.put("PROVIDER", Provider.SHOPIFY.source());
    all.put("WEBHOOK_SECRET", Provider.SECRET);
    all.put("CONNECTOR_API_URL", service.toString());
    all.put("OUTBOX", folder.resolve("outbox.db").toString());
    all.put("PORT", "0");
    all.putAll(settings);
    outbox = Path.of(requireNonNull(all.get("OUTBOX")));
    process = Examples.process(command, all).redirectError(errors.toFile()).start();
    port = port();
  }

  static List<String> python() throws IOException, InterruptedException {
    return Examples.command(List.of("connector.py"));
  }

  private int port() throws IOException {
    BufferedReader output = process.inputReader(UTF_8);
    String line = String.valueOf(output.readLine());
    Matcher listening = LISTENING.matcher(line);
    if (!listening.matches()) {
      throw new IllegalStateException("it does not start: " + line + log());
    }
    return Integer.parseInt(listening.group(1));
  }

  /** Delivers a signed webhook, and returns the status of the answer. */
  int deliver(Provider provider, String topic, String id, String payload) throws IOException {
    return post("/webhooks", provider.headers(topic, id, payload), payload.getBytes(UTF_8));
  }

  /**
   * Delivers a webhook of Shopify with the commands of {@code docs/connectors.md}, and returns the
   * answer. The topic is also the webhook's id.
   */
  String deliverAsThePageSays(String topic) throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("curl", "--version");
    CommandOnPath.assumeWorks("openssl", "version");
    String commands =
        Page.of("connectors.md")
            .commands("BODY=")
            .replace("http://127.0.0.1:8080/", "http://127.0.0.1:" + port + "/")
            .replaceFirst("(?<=Webhook-Id: )[^']+", topic)
            .replace("orders/create", topic);
    return CommandOnPath.of("bash", "-c", commands).run(Redirect.DISCARD).output();
  }

  /** Delivers a webhook in chunks, as a proxy may do. */
  int deliverInChunks(Map<String, String> headers, byte[] body) throws IOException {
    ByteArrayOutputStream chunks = new ByteArrayOutputStream();
    for (int start = 0; start < body.length; start += CHUNK) {
      int size = Math.min(CHUNK, body.length - start);
      String line = Integer.toHexString(size) + ";name=an-extension-that-nobody-needs\r\n";
      chunks.writeBytes(line.getBytes(US_ASCII));
      chunks.write(body, start, size);
      chunks.writeBytes("\r\n".getBytes(US_ASCII));
    }
    chunks.writeBytes("0\r\n\r\n".getBytes(US_ASCII));
    Map<String, String> all = new HashMap<>(headers);
    all.putIfAbsent("Transfer-Encoding", "chunked");
    return post("/webhooks", all, chunks.toByteArray());
  }

  /** Returns the answer's status. The body is JSON, and whole, unless the headers say otherwise. */
  int post(String path, Map<String, String> headers, byte[] body) throws IOException {
    Map<String, String> all = new HashMap<>(headers);
    all.putIfAbsent("Content-Type", "application/json");
    if (!all.containsKey("Transfer-Encoding")) {
      all.putIfAbsent("Content-Length", Integer.toString(body.length));
    }
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n");
    all.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(15_000);
      socket.getOutputStream().write(head.append("\r\n").toString().getBytes(UTF_8));
      socket.getOutputStream().write(body);
      String answer =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();
      if (answer == null) {
        throw new EOFException("no answer");
      }
      return Integer.parseInt(answer.split(" ", -1)[1]);
    }
  }

  /** What it has kept of the refused webhooks with this mark. */
  List<JsonNode> refused(String mark) throws IOException, InterruptedException {
    return CommandOnPath.of("python3", "../examples/outbox.py", outbox.toString(), "refused")
        .run(Redirect.INHERIT)
        .output()
        .lines()
        .filter(line -> line.contains(mark))
        .map(ServedLocally::read)
        .toList();
  }

  List<String> log() throws IOException {
    return Files.readAllLines(errors);
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.delete(folder);
  }
}
