package dev.connectorevents.acceptance.awscalls;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;

/** A proxy that records the calls to one AWS service. */
public final class RecordingProxy implements AutoCloseable {

  private static final Pattern ACCESS_KEY = Pattern.compile("(?<=Credential=)\\w+");

  private final BlockingQueue<AwsCall> calls = new LinkedBlockingQueue<>();
  private final LoopbackServer server = LoopbackServer.bind(0);
  private final Forwarder forwarder;

  /**
   * A recorded call.
   *
   * @param operation such as {@code GetItem}
   * @param accessKey id of the access key that signed the call
   */
  public record AwsCall(String operation, String accessKey) {}

  public RecordingProxy(URI target) throws IOException {
    forwarder = new Forwarder(target);
    server.serve(Map.of("/", this::handle));
  }

  public URI endpoint() {
    return server.endpoint();
  }

  /** Removes and returns all recorded calls. */
  public List<AwsCall> takeCalls() {
    List<AwsCall> taken = new ArrayList<>();
    calls.drainTo(taken);
    return taken;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String signature = exchange.getRequestHeaders().getFirst("Authorization");
    calls.add(
        new AwsCall(
            target.substring(target.indexOf('.') + 1),
            ACCESS_KEY.matcher(signature).results().findFirst().orElseThrow().group()));
    Forwarder.answer(exchange, forwarder.forward(exchange));
  }

  @Override
  public void close() {
    server.close();
    forwarder.close();
  }
}
