package dev.connectorevents.http;

/** A server: a function from request to response. */
@FunctionalInterface
public interface Handler {
  Response handle(Request request);
}
