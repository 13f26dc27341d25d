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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All candidates: the peers, and the functions of the template. */
final class Lineup {

  static final String FLOOR = "hello, event object";
  static final String PLAIN_URL_CONNECTION = "plain SDK, event object, url-connection";
  static final String BARE_PUT_ITEM = "bare PutItem, CRT";
  static final String CREATE_EVENT = "createevent";
  static final String RESTORED = ", from a snapshot";

  private final Packages packages;
  private final List<FunctionDefinition> functions;
  private final EventFiles events;
  private final List<String> trusting;
  private final LambdaRuntime bare;

  /**
   * @param functions of the template
   * @param certificate that clients which ask the JVM are to trust
   */
  Lineup(
      Packages packages,
      List<FunctionDefinition> functions,
      EventFiles events,
      Optional<Certificate> certificate)
      throws IOException {
    this.packages = packages;
    this.bare = packages.peersOnOurs();
    this.functions = List.copyOf(functions);
    this.events = events;
    this.trusting = certificate.map(Certificate::trusting).map(List::of).orElse(List.of());
  }

  /** All that are rows of the table, in its order. */
  List<Candidate> all() throws IOException {
    LambdaRuntime hello = packages.peers(Libraries.EVENTS);
    List<Candidate> all = new ArrayList<>();
    all.add(peer(FLOOR, HelloEvent.class, hello, List.of()));
    all.add(peer("hello, raw stream", HelloStream.class, hello, List.of()));
    all.add(
        peer(
            PLAIN_URL_CONNECTION,
            PlainSdkUrlConnection.class,
            packages.peers(Libraries.URL_CONNECTION),
            trusting));
    all.add(
        peer(
            "plain SDK, event object, CRT",
            PlainSdkCrt.class,
            packages.peers(Libraries.CRT),
            List.of()));
    all.add(peer(BARE_PUT_ITEM, BarePutItem.class, bare, List.of(), packages.zipBytes()));
    for (FunctionDefinition function : functions) {
      all.add(ours(function, Initialization.ON_DEMAND));
    }
    for (FunctionDefinition function : functions) {
      if (!function.routes().isEmpty()) {
        all.add(ours(function, Initialization.SNAP_START));
      }
    }
    return all;
  }

  Candidate login() throws IOException {
    return ours(function("login"), Initialization.ON_DEMAND);
  }

  /** What a login takes the most of its time for. */
  Candidate bareBcrypt() throws IOException {
    return peer("bare bcrypt", BareBcrypt.class, bare, List.of(), 0);
  }

  private FunctionDefinition function(String name) {
    return functions.stream().filter(each -> name(each).equals(name)).findFirst().orElseThrow();
  }

  private Candidate ours(FunctionDefinition function, Initialization initialization)
      throws IOException {
    boolean isOnDemand = initialization == Initialization.ON_DEMAND;
    return new Candidate(
        name(function) + (isOnDemand ? "" : RESTORED),
        function,
        packages.ours(),
        initialization,
        List.of(),
        events.of(name(function)),
        isOnDemand && (name(function).equals(CREATE_EVENT) || name(function).equals("me")),
        packages.zipBytes());
  }

  private Candidate peer(String name, Class<?> handler, LambdaRuntime runtime, List<String> options)
      throws IOException {
    return peer(name, handler, runtime, options, Packages.bytes(runtime));
  }

  /** With as much memory as the function that stores events, and what its event is. */
  private Candidate peer(
      String name, Class<?> handler, LambdaRuntime runtime, List<String> options, long codeBytes)
      throws IOException {
    FunctionDefinition compared = function(CREATE_EVENT);
    FunctionDefinition definition =
        new FunctionDefinition(
            "Peer",
            "peer",
            handler.getName(),
            Map.of(
                "EVENTS_TABLE",
                "events",
                "BCRYPT_COST",
                function("login").environment().getOrDefault("BCRYPT_COST", "")),
            compared.timeout(),
            compared.memoryMb(),
            Optional.empty(),
            List.of(),
            List.of());
    return new Candidate(
        name,
        definition,
        runtime,
        Initialization.ON_DEMAND,
        options,
        events.of(CREATE_EVENT),
        true,
        codeBytes);
  }

  /** By its package, which is named for what it does. */
  private static String name(FunctionDefinition function) {
    String[] names = function.handler().split("\\.", -1);
    return names[names.length - 2];
  }
}
