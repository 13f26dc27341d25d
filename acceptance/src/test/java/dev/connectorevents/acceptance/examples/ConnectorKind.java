package dev.connectorevents.acceptance.examples;

import java.io.IOException;
import java.util.List;

/** The connectors of {@code examples/}. */
enum ConnectorKind {
  PYTHON_WITH_OUTBOX("connector.py"),
  NODE("connector.mjs"),
  JAVA("Connector.java");

  private final String file;

  ConnectorKind(String file) {
    this.file = file;
  }

  String file() {
    return file;
  }

  List<String> command() throws IOException, InterruptedException {
    return Examples.command(List.of(file));
  }

  /**
   * Whether it answers the provider before it sends the event. The others answer only after the
   * event is stored.
   */
  boolean hasOutbox() {
    return this == PYTHON_WITH_OUTBOX;
  }

  /** The path to which it sends events. */
  String path() {
    return UnreliableGateway.EVENTS + (hasOutbox() ? "/batch" : "");
  }

  /** Its answer to a webhook whose event the service has neither stored nor refused. */
  int unsettled() {
    return hasOutbox() ? 200 : 503;
  }
}
