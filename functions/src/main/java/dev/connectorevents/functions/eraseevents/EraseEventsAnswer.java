package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The members of the function's answer. */
final class EraseEventsAnswer {

  private EraseEventsAnswer() {}

  static Map<String, Object> of(EraseEventsOutcome outcome, String requestDigest) {
    Map<String, Object> answer = new LinkedHashMap<>();
    switch (outcome) {
      case EraseEventsOutcome.Continues continues -> {
        continues.progress().erasureId().ifPresent(id -> answer.put("erasure_id", id.toString()));
        putFigures(answer, outcome);
        answer.put("next", continues.progress().text(requestDigest));
        Duration pause = continues.pause();
        if (pause.isPositive()) {
          answer.put("wait_seconds", Math.ceilDiv(pause.toMillis(), 1_000L));
        }
        answer.put("complete", false);
      }
      case EraseEventsOutcome.Ends ends -> {
        answer.put("erasure_id", ends.erasure().id().toString());
        putFigures(answer, outcome);
        answer.put("complete", true);
      }
      case EraseEventsOutcome.DryRunEnds _ -> {
        putFigures(answer, outcome);
        answer.put("complete", false);
      }
    }
    return answer;
  }

  private static void putFigures(Map<String, Object> answer, EraseEventsOutcome outcome) {
    answer.put("matched", outcome.matched().size());
    answer.put("erased", outcome.erased());
    answer.put("ids", outcome.matched().stream().map(UUID::toString).toList());
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
    members.put("begun", erasure.begun().toString());
    members.put("lag_seconds", erasure.lagAssumed().toSeconds());
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
