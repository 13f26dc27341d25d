package dev.connectorevents.erasure;

import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.Whole;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The members of an erasure, as operators read it. */
public final class ErasureJson {

  private ErasureJson() {}

  public static Map<String, Object> members(Erasure erasure) {
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
    erasure.to().ifPresent(to -> members.put("to", Timestamp.of(to)));
    if (erasure.isScan()) {
      members.put("scan", true);
    }
    members.put("begun", erasure.begun().toString());
    if (erasure.brand().isPresent() && !erasure.isScan()) {
      members.put("index_lag_seconds", ErasableEvents.INDEX_LAG.toSeconds());
    }
    erasure
        .whole()
        .ifPresent(whole -> {
          putTimes(members, whole);
          members.put("head", whole.head());
        });
    putIds(members, "not_judged", erasure.notJudged());
    erasure
        .proof()
        .ifPresent(proof -> {
          members.put("ended", proof.ended().toString());
          members.put("count", proof.erased().count());
          members.put("chain", proof.erased().chain());
          members.put("backups_until", proof.backupsUntil().toString());
          if (proof.isStopped()) {
            members.put("stopped", true);
          }
        });
    return members;
  }

  /** Puts the times between which the feed holds all. */
  public static void putTimes(Map<String, Object> members, Whole whole) {
    whole.since().ifPresent(since -> members.put("whole_since", Timestamp.of(since)));
    members.put("whole_until", Timestamp.of(whole.until()));
  }

  /** Puts ids as a member if there are some. */
  public static void putIds(Map<String, Object> members, String name, Collection<UUID> ids) {
    if (!ids.isEmpty()) {
      members.put(name, texts(ids));
    }
  }

  public static List<String> texts(Collection<UUID> ids) {
    return ids.stream().map(UUID::toString).toList();
  }
}
