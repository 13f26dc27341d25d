package dev.connectorevents.http;

/** A handler behind a {@link Guard}. */
@FunctionalInterface
public interface ProtectedHandler {
  Response handle(Request request, Caller caller);
}
