package dev.connectorevents.emulator.gateway;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One HTTP request as API Gateway describes it to a function. */
record RequestEvent(HttpExchange exchange, Routes.Match match, String requestId) {
  private static final ObjectMapper JSON =
      new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);
  // The time format of common logs, as in the documentation's example.
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  byte[] json(byte[] body) throws IOException {
    var uri = exchange.getRequestURI();
    var rawQuery = uri.getRawQuery() == null ? "" : uri.getRawQuery();
    var headers = RequestHeaders.of(exchange);
    var event =
        APIGatewayV2HTTPEvent.builder()
            .withVersion("2.0")
            .withRouteKey(match.route().key())
            .withRawPath(uri.getRawPath())
            .withRawQueryString(rawQuery)
            .withHeaders(headers.values())
            .withRequestContext(context(headers.values()))
            .build();
    if (!headers.cookies().isEmpty()) {
      event.setCookies(headers.cookies());
    }
    if (!rawQuery.isEmpty()) {
      event.setQueryStringParameters(QueryString.parse(rawQuery));
    }
    if (!match.pathParameters().isEmpty()) {
      event.setPathParameters(match.pathParameters());
    }
    if (body.length > 0) {
      var encoded = EventBody.of(headers.values().get("content-type"), body);
      event.setBody(encoded.text());
      event.setIsBase64Encoded(encoded.base64());
    }
    return JSON.writeValueAsBytes(event);
  }

  private RequestContext context(Map<String, String> headers) {
    var now = Instant.now();
    var domain = headers.getOrDefault("host", "localhost").replaceFirst(":\\d+$", "");
    return RequestContext.builder()
        .withAccountId("000000000000")
        .withApiId("local")
        .withDomainName(domain)
        .withDomainPrefix(List.of(domain.split("\\.")).getFirst())
        .withHttp(http(headers))
        .withRequestId(requestId)
        .withRouteKey(match.route().key())
        .withStage("$default")
        .withTime(TIME.format(now))
        .withTimeEpoch(now.toEpochMilli())
        .build();
  }

  private RequestContext.Http http(Map<String, String> headers) {
    return RequestContext.Http.builder()
        .withMethod(exchange.getRequestMethod())
        .withPath(exchange.getRequestURI().getRawPath())
        .withProtocol(exchange.getProtocol())
        .withSourceIp(exchange.getRemoteAddress().getAddress().getHostAddress())
        .withUserAgent(headers.getOrDefault("user-agent", ""))
        .build();
  }
}
