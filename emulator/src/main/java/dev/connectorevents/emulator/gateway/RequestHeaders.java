package dev.connectorevents.emulator.gateway;

import com.sun.net.httpserver.HttpExchange;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The headers of an event: names in lower case, several values joined by commas, cookies apart, and
 * those which API Gateway itself adds.
 */
record RequestHeaders(Map<String, String> values, List<String> cookies) {

  static RequestHeaders of(HttpExchange exchange) {
    var values = new TreeMap<String, String>();
    exchange
        .getRequestHeaders()
        .forEach((name, each) -> values.put(name.toLowerCase(Locale.ROOT), String.join(",", each)));
    var cookies = values.remove("cookie");
    values.merge(
        "x-forwarded-for",
        exchange.getRemoteAddress().getAddress().getHostAddress(),
        (sent, address) -> sent + ", " + address);
    values.put("x-forwarded-port", String.valueOf(exchange.getLocalAddress().getPort()));
    values.put("x-forwarded-proto", "http");
    values.putIfAbsent("x-amzn-trace-id", "Root=1-" + UUID.randomUUID());
    return new RequestHeaders(
        values,
        cookies == null
            ? List.of()
            : Arrays.stream(cookies.split("[;,]"))
                .map(String::strip)
                .filter(cookie -> !cookie.isEmpty())
                .toList());
  }
}
