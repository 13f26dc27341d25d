package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.peers.BareBcrypt;
import dev.connectorevents.bench.peers.BarePutItem;
import dev.connectorevents.bench.peers.HelloEvent;
import dev.connectorevents.bench.peers.HelloStream;
import dev.connectorevents.bench.peers.PlainSdkCrt;
import dev.connectorevents.bench.peers.PlainSdkUrlConnection;
import dev.connectorevents.local.runtime.LambdaRuntime;
import dev.connectorevents.local.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.local.template.FunctionDefinition;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The functions that ours are compared with, as candidates.
 *
 * @param compared the function that stores events: the peers have as much memory
 * @param bcryptCost of a login
 * @param event that they are all sent
 * @param trusting options of a JVM whose clients ask it whom to trust
 */
record Peers(
    Packages packages,
    FunctionDefinition compared,
    String bcryptCost,
    String event,
    List<String> trusting) {

  static final String FLOOR = "hello, event object";
  static final String PLAIN_URL_CONNECTION = "plain SDK, event object, url-connection";
  static final String BARE_PUT_ITEM = "bare PutItem, CRT";

  /** All that are rows of the table, in its order. */
  List<Candidate> all() throws IOException {
    LambdaRuntime hello = packages.peers(Libraries.EVENTS);
    LambdaRuntime urlConnection = packages.peers(Libraries.URL_CONNECTION);
    LambdaRuntime crt = packages.peers(Libraries.CRT);
    return List.of(
        peer(FLOOR, HelloEvent.class, hello, List.of()),
        peer("hello, raw stream", HelloStream.class, hello, List.of()),
        peer(PLAIN_URL_CONNECTION, PlainSdkUrlConnection.class, urlConnection, trusting),
        peer("plain SDK, event object, CRT", PlainSdkCrt.class, crt, List.of()),
        onOurs(BARE_PUT_ITEM, BarePutItem.class, Initialization.ON_DEMAND),
        provisioned(BARE_PUT_ITEM, BarePutItem.class));
  }

  /** What a login takes the most of its time for. */
  Candidate bareBcrypt() throws IOException {
    return provisioned("bare bcrypt", BareBcrypt.class);
  }

  /** By a JVM that is set up as ours is, where it starts from a snapshot. */
  private Candidate provisioned(String name, Class<?> handler) throws IOException {
    return onOurs(name + OurFunctions.PROVISIONED, handler, Initialization.PROVISIONED_CONCURRENCY);
  }

  private Candidate onOurs(String name, Class<?> handler, Initialization initialization)
      throws IOException {
    return candidate(
        name, handler, packages.peersOnOurs(), initialization, List.of(), packages.zipBytes());
  }

  private Candidate peer(String name, Class<?> handler, LambdaRuntime runtime, List<String> options)
      throws IOException {
    return candidate(
        name, handler, runtime, Initialization.ON_DEMAND, options, Packages.bytes(runtime));
  }

  private Candidate candidate(
      String name,
      Class<?> handler,
      LambdaRuntime runtime,
      Initialization initialization,
      List<String> options,
      long codeBytes) {
    FunctionDefinition definition =
        new FunctionDefinition(
            "Peer",
            "peer",
            handler.getName(),
            Map.of("EVENTS_TABLE", "events", "BCRYPT_COST", bcryptCost),
            compared.timeout(),
            compared.memoryMb(),
            Optional.empty(),
            List.of(),
            List.of());
    return new Candidate(
        name, definition, runtime, initialization, options, event, true, codeBytes);
  }
}
