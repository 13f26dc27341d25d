package dev.connectorevents.emulator.gateway;

import dev.connectorevents.emulator.http.Answer;
import java.util.Map;

/**
 * One request to the API, and its answer.
 *
 * @param id API Gateway's id of the request
 * @param path as it was sent, without the query
 * @param headers by lower-cased name
 * @param body empty if it was too long to be read
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
public record Exchange(
    String id,
    String method,
    String path,
    String query,
    Map<String, String> headers,
    byte[] body,
    Answer answer) {}
