package dev.connectorevents.http;

/** What a server is: a function from request to response. */
@FunctionalInterface
public interface Handler {
  Response handle(Request request);
}
