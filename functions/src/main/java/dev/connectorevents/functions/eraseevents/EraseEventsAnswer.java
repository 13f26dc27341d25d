package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.Reason;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The members of the function's answer. */
final class EraseEventsAnswer {

  private EraseEventsAnswer() {}

  static Map<String, Object> of(
      String requestId,
      EraseEventsRequest.Erase request,
      EraseEventsOutcome outcome,
      CallFigures figures) {
    Map<String, Object> answer = new LinkedHashMap<>();
    figures.erasureId().ifPresent(id -> answer.put("erasure_id", id.toString()));
    answer.put("matched", figures.matched().size());
    answer.put("erased", figures.erased());
    answer.put("ids", texts(figures.matched()));
    answer.put("narrowed", request.isNarrowed());
    if (!figures.hints().isEmpty()) {
      answer.put("hints", List.copyOf(figures.hints()));
    }
    if (request.isDryRun()) {
      answer.put("searched", figures.searched());
      answer.put("read_units", figures.readUnits());
      if (request.where().anyIsContains()) {
        putPlaces(answer, figures.places());
      }
    }
    putNotJudged(answer, figures.notJudged());
    boolean isComplete = false;
    switch (outcome) {
      case EraseEventsOutcome.Continues(ErasureProgress progress, Duration pause) -> {
        answer.put("next", progress.text(request.digest()));
        if (pause.isPositive()) {
          answer.put("wait_seconds", Math.ceilDiv(pause.toMillis(), 1_000L));
        }
      }
      case EraseEventsOutcome.Ends(Erasure erasure) -> {
        putNotJudged(answer, erasure.notJudged()); // of all calls
        isComplete = erasure.notJudged().isEmpty();
      }
      case EraseEventsOutcome.DryRunEnds() -> {}
      case EraseEventsOutcome.Refused(Fault fault) -> {
        return Problem.body(requestId, Reason.invalid(List.of(fault)));
      }
    }
    answer.put("complete", isComplete);
    return answer;
  }

  private static void putPlaces(Map<String, Object> answer, CallFigures.Places places) {
    answer.put(
        "places", places.events().entrySet().stream().map(EraseEventsAnswer::place).toList());
    if (places.hasMore()) {
      answer.put("more_places", true);
    }
  }

  private static Map<String, Object> place(Map.Entry<CallFigures.Place, Integer> place) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("event_type", place.getKey().eventType());
    members.put("pointer", place.getKey().pointer());
    members.put("events", place.getValue());
    return members;
  }

  private static void putNotJudged(Map<String, Object> members, Collection<UUID> ids) {
    if (!ids.isEmpty()) {
      members.put("not_judged", texts(ids));
    }
  }

  private static List<String> texts(Collection<UUID> ids) {
    return ids.stream().map(UUID::toString).toList();
  }

  static Map<String, Object> of(ErasureLedger.Page page) {
    Map<String, Object> answer = new LinkedHashMap<>();
    List<Map<String, Object>> erasures =
        page.erasures().stream().map(EraseEventsAnswer::members).toList();
    answer.put("erasures", erasures);
    page.next().ifPresent(next -> answer.put("next", next));
    return answer;
  }

  static Map<String, Object> of(Erasure erasure) {
    return Map.of("erasure", members(erasure));
  }

  private static Map<String, Object> members(Erasure erasure) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("erasure_id", erasure.id().toString());
    erasure.reason().ifPresent(reason -> members.put("reason", reason));
    members.put("selector", erasure.selectorKind());
    erasure
        .brand()
        .ifPresent(brand -> {
          members.put("salt", brand.salt());
          members.put("brand_sha256", brand.sha256());
        });
    members.put("narrowed", erasure.isNarrowed());
    members.put("begun", erasure.begun().toString());
    members.put("lag_seconds", erasure.lagAssumed().toSeconds()); // of the feed
    if (erasure.brand().isPresent()) {
      members.put("index_lag_seconds", ErasableEvents.INDEX_LAG.toSeconds());
    }
    putNotJudged(members, erasure.notJudged());
    erasure
        .proof()
        .ifPresent(proof -> {
          members.put("ended", proof.ended().toString());
          members.put("count", proof.count());
          members.put("ids_sha256", proof.idsSha256());
          members.put("backups_until", proof.backupsUntil().toString());
        });
    return members;
  }
}
