package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.Fixtures;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/** A running connector of {@code examples/}. A test delivers webhooks to it, as a provider does. */
final class ExampleConnector implements AutoCloseable {

  /** The command that starts {@code connector.py}, which keeps webhooks in an outbox. */
  static final List<String> WITH_OUTBOX = List.of("python3", "../examples/connector.py");

  private static final int CHUNK = 4_096;
  private static final Path EXAMPLES = Path.of("../examples");
  private static final Pattern LISTENING = Pattern.compile("listening on port (\\d+)");

  /** The languages of the examples that answer the provider only after the event is stored. */
  enum Language {
    NODE,
    JAVA;

    /** The command that starts the example from its source. */
    List<String> command() {
      return switch (this) {
        case NODE -> List.of("node", EXAMPLES.resolve("connector.mjs").toString());
        case JAVA -> java(EXAMPLES.resolve("Connector.java").toString());
      };
    }

    /**
     * The command for tests that start the example often. For Java it uses compiled classes,
     * because {@code java Connector.java} compiles at each start.
     */
    List<String> compiled() {
      return switch (this) {
        case NODE -> command();
        case JAVA -> java("-cp", Compiled.CLASSES.toString(), "Connector");
      };
    }

    private static List<String> java(String... words) {
      List<String> command = new ArrayList<>();
      command.add(System.getProperty("java.home") + "/bin/java");
      command.add("-XX:+UseSerialGC"); // this option and the next one make the start quick
      command.add("-XX:TieredStopAtLevel=1");
      command.addAll(List.of(words));
      return command;
    }

    /** Skips the test if the language is not installed. */
    void assumeInstalled() throws IOException, InterruptedException {
      CommandOnPath.assumeWorks(command().getFirst(), "--version");
    }
  }

  /** The Java example, compiled once. */
  private static final class Compiled {

    private static final Path CLASSES = compile();

    private static Path compile() {
      try {
        Path classes = Files.createTempDirectory("example");
        String source = EXAMPLES.resolve("Connector.java").toString();
        int errors =
            ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(System.out, System.err, "-d", classes.toString(), source);
        if (errors != 0) {
          throw new IllegalStateException(source + " does not compile");
        }
        return classes;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The topic of this connector's webhooks. No other connector has the same topic. */
  private final String topic = "orders/" + UUID.randomUUID();

  private final Path errors = Files.createTempFile("connector", ".log");
  private final Path refused = Files.createTempFile("refused", ".jsonl");
  private final Process process;
  private final URI webhooks;

  /**
   * Starts the connector.
   *
   * @param command the command that starts the connector
   * @param settings further environment variables, such as the login or the token
   */
  ExampleConnector(List<String> command, URI service, Map<String, String> settings)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("CONNECTOR_API_"));
    builder
        .environment()
        .putAll(
            Map.of(
                "WEBHOOK_SECRET",
                Provider.SECRET,
                "CONNECTOR_API_URL",
                service.toString(),
                "REFUSED",
                refused.toString(),
                "PORT",
                "0"));
    builder.environment().putAll(settings);
    process = builder.start();
    webhooks = URI.create("http://127.0.0.1:" + port() + "/webhooks");
  }

  private String port() throws IOException {
    BufferedReader output = process.inputReader(UTF_8);
    String line = String.valueOf(output.readLine());
    Matcher listening = LISTENING.matcher(line);
    if (!listening.matches()) {
      throw new IllegalStateException("it does not start: " + line + log());
    }
    return listening.group(1);
  }

  /** Delivers a webhook of Shopify, and returns the status of the answer. */
  int deliver(String id, String payload) throws IOException, InterruptedException {
    return deliver(Provider.SHOPIFY, topic, id, payload);
  }

  /**
   * Delivers a webhook of Shopify with the commands of {@code docs/connectors.md}, and returns the
   * answer.
   */
  String deliverAsThePageSays() throws IOException, InterruptedException {
    String commands =
        Page.of("connectors.md")
            .commands("BODY=")
            .replace("http://127.0.0.1:8080/webhooks", webhooks.toString())
            .replaceFirst("(?<=Webhook-Id: )[^']+", UUID.randomUUID().toString())
            .replace("orders/create", topic);
    return CommandOnPath.of("bash", "-c", commands).run(Redirect.DISCARD).output();
  }

  /** Delivers a signed webhook, and returns the status of the answer. */
  int deliver(Provider provider, String webhookTopic, String id, String payload)
      throws IOException, InterruptedException {
    return post("/webhooks", payload, provider.headers(webhookTopic, id, payload));
  }

  /**
   * Sends a request, and returns the answer's status. The body is JSON unless the headers have
   * another content type.
   */
  int post(String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(webhooks.resolve(path))
            .timeout(Duration.ofSeconds(15))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    headers.forEach(request::setHeader);
    return Fixtures.HTTP.send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  /**
   * Sends only the beginning of a body, and returns the first line of the answer.
   *
   * @param length the body's length in bytes, as {@code Content-Length} says
   */
  String answer(long length, String beginning) throws IOException {
    try (Socket socket = new Socket(webhooks.getHost(), webhooks.getPort())) {
      socket.setSoTimeout(15_000);
      String head = "POST /webhooks HTTP/1.1\r\nHost: localhost\r\nContent-Length: ";
      socket.getOutputStream().write((head + length + "\r\n\r\n" + beginning).getBytes(US_ASCII));
      InputStreamReader answer = new InputStreamReader(socket.getInputStream(), US_ASCII);
      return String.valueOf(new BufferedReader(answer).readLine());
    }
  }

  /**
   * Delivers a webhook in chunks, as a proxy may do, and returns the status of the answer.
   *
   * @param headers with values in ISO 8859-1, so that they can have any byte
   */
  int deliverInChunks(Map<String, String> headers, byte[] body) throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    String head =
        "POST /webhooks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    request.writeBytes(head.getBytes(US_ASCII));
    Map<String, String> sent = new LinkedHashMap<>(headers);
    sent.putIfAbsent("Transfer-Encoding", "chunked");
    sent.forEach(
        (name, value) -> request.writeBytes((name + ": " + value + "\r\n").getBytes(ISO_8859_1)));
    for (int start = 0; start < body.length; start += CHUNK) {
      int size = Math.min(CHUNK, body.length - start);
      String line = Integer.toHexString(size) + ";name=an-extension-that-nobody-needs";
      request.writeBytes(("\r\n" + line + "\r\n").getBytes(US_ASCII));
      request.write(body, start, size);
    }
    request.writeBytes("\r\n0\r\n\r\n".getBytes(US_ASCII));
    try (Socket socket = new Socket(webhooks.getHost(), webhooks.getPort())) {
      socket.setSoTimeout(15_000);
      socket.getOutputStream().write(request.toByteArray());
      InputStreamReader answer = new InputStreamReader(socket.getInputStream(), US_ASCII);
      String line = String.valueOf(new BufferedReader(answer).readLine());
      return Integer.parseInt(line.split(" ", -1)[1]);
    }
  }

  String topic() {
    return topic;
  }

  /** The file for what the service has refused. A connector with an outbox does not use it. */
  Path refused() {
    return refused;
  }

  /** The lines that the connector has written to standard error. */
  List<String> log() throws IOException {
    return Files.readAllLines(errors);
  }

  /** Sends SIGTERM, as an orchestrator does. Returns whether the connector exits within 10 s. */
  boolean stop() throws InterruptedException {
    process.destroy();
    return process.waitFor(10, TimeUnit.SECONDS);
  }

  /** Waits for up to 3 s until the connector exits. Returns whether it did. */
  boolean hasEnded() throws InterruptedException {
    return process.waitFor(3, TimeUnit.SECONDS);
  }

  /** Kills the connector, as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.delete(errors);
    Files.deleteIfExists(refused);
  }
}
