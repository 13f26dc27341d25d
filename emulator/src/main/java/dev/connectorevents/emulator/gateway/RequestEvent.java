package dev.connectorevents.emulator.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** An HTTP request as an event in payload format 2.0. */
record RequestEvent(
    HttpExchange exchange, RouteTable.Match match, String requestId, Map<String, String> sent) {

  private static final ObjectMapper JSON =
      new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

  // The common log format, as in AWS's example.
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  byte[] json(byte[] body) throws IOException {
    String query = Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "");
    Map<String, String> headers = new TreeMap<>(sent);
    APIGatewayV2HTTPEvent event =
        APIGatewayV2HTTPEvent.builder()
            .withVersion("2.0")
            .withRouteKey(match.route().key())
            .withRawPath(exchange.getRequestURI().getRawPath())
            .withRawQueryString(query)
            .withHeaders(headers)
            .withRequestContext(context(headers))
            .build();
    if (!query.isEmpty()) {
      event.setQueryStringParameters(parameters(query));
    }
    if (!match.pathParameters().isEmpty()) {
      event.setPathParameters(match.pathParameters());
    }
    if (body.length > 0) {
      EventBody encoded = EventBody.of(headers.get("content-type"), body);
      event.setBody(encoded.text());
      event.setIsBase64Encoded(encoded.base64());
    }
    return JSON.writeValueAsBytes(event);
  }

  /** The client's headers, and those that API Gateway adds. */
  static Map<String, String> headers(HttpExchange exchange) {
    Map<String, String> headers = new TreeMap<>();
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
    headers.merge("x-forwarded-for", sourceIp(exchange), (sent, address) -> sent + ", " + address);
    headers.put("x-forwarded-port", String.valueOf(exchange.getLocalAddress().getPort()));
    headers.put("x-forwarded-proto", "http");
    headers.putIfAbsent("x-amzn-trace-id", "Root=1-" + UUID.randomUUID());
    return headers;
  }

  /** The names of the headers that the client has sent more than once. */
  static Set<String> repeated(HttpExchange exchange) {
    return exchange.getRequestHeaders().entrySet().stream()
        .filter(header -> header.getValue().size() > 1)
        .map(header -> header.getKey().toLowerCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      if (!pair.isEmpty()) {
        String[] parts = pair.split("=", 2);
        String value = parts.length > 1 ? decoded(parts[1]) : "";
        parameters.merge(decoded(parts[0]), value, (first, next) -> first + "," + next);
      }
    }
    return parameters;
  }

  private static String decoded(String raw) {
    return URLDecoder.decode(raw, UTF_8);
  }

  private RequestContext context(Map<String, String> headers) {
    Instant now = Instant.now();
    String domain = headers.getOrDefault("host", "localhost").replaceFirst(":\\d+$", "");
    return RequestContext.builder()
        .withAccountId("000000000000")
        .withApiId("local")
        .withDomainName(domain)
        .withDomainPrefix(domain.replaceFirst("\\..*", ""))
        .withHttp(
            RequestContext.Http.builder()
                .withMethod(exchange.getRequestMethod())
                .withPath(exchange.getRequestURI().getRawPath())
                .withProtocol(exchange.getProtocol())
                .withSourceIp(sourceIp(exchange))
                .withUserAgent(headers.getOrDefault("user-agent", ""))
                .build())
        .withRequestId(requestId)
        .withRouteKey(match.route().key())
        .withStage("$default")
        .withTime(TIME.format(now))
        .withTimeEpoch(now.toEpochMilli())
        .build();
  }

  private static String sourceIp(HttpExchange exchange) {
    return exchange.getRemoteAddress().getAddress().getHostAddress();
  }
}
