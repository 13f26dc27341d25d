package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of the list of requests. The page gets it as JSON.
 *
 * @param operation what the route does, in the words of the API's document
 * @param stored null if nothing was stored
 * @param error why the service failed, from the log
 * @param hints what the service ignores, or why API Gateway refuses the request
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RequestRow(
    ExchangeSummary exchange,
    @Nullable String operation,
    EventSummary event,
    RequestOutcome outcome,
    @Nullable StoredItems stored,
    @Nullable String error,
    List<RowNote> hints) {

  @JsonProperty
  RowText text() {
    return RowText.of(this);
  }
}
