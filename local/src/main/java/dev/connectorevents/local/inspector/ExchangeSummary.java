package dev.connectorevents.local.inspector;

import dev.connectorevents.emulator.gateway.Exchange;

/**
 * A request and its answer, in short.
 *
 * @param id API Gateway's id of the request
 * @param receivedAt RFC 3339, in UTC
 * @param path with the query
 * @param bytes of the request's body
 */
record ExchangeSummary(
    String id,
    String receivedAt,
    String method,
    String path,
    int bytes,
    int status,
    double milliseconds) {

  static ExchangeSummary of(Exchange exchange) {
    String query = exchange.query().isEmpty() ? "" : "?" + Masking.mask(exchange.query());
    return new ExchangeSummary(
        exchange.id(),
        exchange.receivedAt().toString(),
        exchange.method(),
        Masking.maskTokens(exchange.path()) + query,
        exchange.body().length,
        exchange.answer().status(),
        Math.round(exchange.duration().toNanos() / 1e4) / 1e2);
  }
}
