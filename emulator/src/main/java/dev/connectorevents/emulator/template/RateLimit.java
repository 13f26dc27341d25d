package dev.connectorevents.emulator.template;

import java.util.Optional;

/**
 * How many requests a route accepts. API Gateway answers more with 429.
 *
 * @param perSecond requests per second, on average
 * @param burst requests at once
 * @see <a
 *     href="https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html">Throttle
 *     requests to your HTTP APIs</a>
 */
public record RateLimit(double perSecond, int burst) {

  private static final String RATE = "ThrottlingRateLimit";
  private static final String BURST = "ThrottlingBurstLimit";

  /** Empty when the settings contain no limit. */
  static Optional<RateLimit> read(Section settings) {
    return settings.has(RATE) || settings.has(BURST)
        ? Optional.of(new RateLimit(settings.decimal(RATE), settings.number(BURST)))
        : Optional.empty();
  }
}
