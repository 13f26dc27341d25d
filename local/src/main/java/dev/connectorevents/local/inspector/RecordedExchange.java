package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A request and its answer, without passwords and tokens.
 *
 * @param isMasked whether the body had any
 * @param faultPlaces where the body breaks rules
 * @param log the function's lines
 */
record RecordedExchange(
    RequestRow row,
    Map<String, String> headers,
    String body,
    boolean isMasked,
    List<FaultPlace> faultPlaces,
    Map<String, String> answerHeaders,
    String answer,
    List<String> log) {

  String id() {
    return row.exchange().id();
  }

  /** About how many bytes of memory it takes. */
  @JsonIgnore
  long size() {
    return 4_000L + 2L * (body.length() + answer.length() + headers.toString().length());
  }

  /** Whether any of its texts has what is searched for. */
  boolean contains(Predicate<String> searched) {
    return Stream.of(body, answer, row.exchange().path(), headers.toString(), log.toString())
        .anyMatch(searched);
  }
}
