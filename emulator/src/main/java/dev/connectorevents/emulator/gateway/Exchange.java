package dev.connectorevents.emulator.gateway;

import dev.connectorevents.emulator.function.RecordedInvocation;
import dev.connectorevents.emulator.http.HttpAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One request to the API, and its answer.
 *
 * @param id API Gateway's id of the request
 * @param receivedAt when the whole request had been read
 * @param path as it was sent, without the query
 * @param headers by lower-cased name
 * @param repeated the names of the headers that came more than once, each now joined by commas
 * @param body empty if it was too long to be read
 * @param call of the route's function; empty if API Gateway called none
 * @param duration from having the request to having the answer
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
public record Exchange(
    String id,
    Instant receivedAt,
    String method,
    String path,
    String query,
    Map<String, String> headers,
    Set<String> repeated,
    byte[] body,
    Optional<RecordedInvocation> call,
    HttpAnswer answer,
    Duration duration) {}
