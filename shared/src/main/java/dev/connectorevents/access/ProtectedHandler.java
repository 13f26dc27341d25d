package dev.connectorevents.access;

import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;

/** A handler behind a {@link Guard}. */
@FunctionalInterface
public interface ProtectedHandler {
  Response handle(Request request, Caller caller);
}
