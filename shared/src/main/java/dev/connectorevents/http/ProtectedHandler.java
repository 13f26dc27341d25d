package dev.connectorevents.http;

/** A handler that only a {@link Guard} lets a request through to. */
@FunctionalInterface
public interface ProtectedHandler {
  Response handle(Request request, Caller caller);
}
