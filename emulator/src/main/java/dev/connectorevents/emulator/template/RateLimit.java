package dev.connectorevents.emulator.template;

import java.util.Optional;
import java.util.Set;

/**
 * What one route lets through, and API Gateway answers with 429 beyond.
 *
 * @param perSecond requests a second, on average
 * @param burst requests at once
 * @see <a
 *     href="https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html">Throttle
 *     requests to your HTTP APIs</a>
 */
public record RateLimit(double perSecond, int burst) {
  private static final String RATE = "ThrottlingRateLimit";
  private static final String BURST = "ThrottlingBurstLimit";
  private static final Set<String> SETTINGS =
      Set.of(RATE, BURST, "DetailedMetricsEnabled", "LoggingLevel", "DataTraceEnabled");

  /** Empty when the settings limit nothing. */
  static Optional<RateLimit> read(Section settings) {
    for (String name : settings.values().keySet()) {
      if (!SETTINGS.contains(name)) {
        throw new TemplateMistake(settings.where(), "there is no setting " + name);
      }
    }
    return settings.has(RATE) || settings.has(BURST)
        ? Optional.of(new RateLimit(settings.decimal(RATE), settings.number(BURST)))
        : Optional.empty();
  }
}
