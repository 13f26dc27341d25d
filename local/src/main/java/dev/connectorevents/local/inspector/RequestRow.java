package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of the list of requests. The page gets it as JSON.
 *
 * @param stored null if nothing was stored
 * @param error why the service failed, from the log
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RequestRow(
    ExchangeSummary exchange,
    SentEvent event,
    RequestOutcome outcome,
    @Nullable StoredItems stored,
    @Nullable String error,
    List<String> hints) {}
