package dev.connectorevents.eventformat;

import dev.connectorevents.event.Meta;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.event.SentPayload.SentMeta;
import dev.connectorevents.http.Fault;
import dev.connectorevents.json.FieldReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The unknown members of an object that are slips: to ignore them would lose a key, so that retries
 * store duplicates, or the {@code _meta} by which readers find an event.
 */
final class MisplacedMembers {

  /** The name of a key, without separators and capital letters. */
  private static final String KEY = "idempotencykey";

  private List<String> keys = List.of();
  private boolean hasMeta;
  private boolean hasBrand;

  /** Notes the name of an unknown member whose value is not null. */
  void note(String name) {
    switch (name) {
      case "_meta" -> hasMeta = true;
      case "brand_id" -> hasBrand = true;
      default -> {
        if (isKey(name)) {
          keys = keys.isEmpty() ? new ArrayList<>() : keys; // most events have none
          keys.add(name);
        }
      }
    }
  }

  private static boolean isKey(String name) {
    int matched = 0;
    for (int i = 0; i < name.length(); i++) {
      char character = name.charAt(i);
      if (character != '-' && character != '_' && character != ' ') {
        if (matched == KEY.length() || Character.toLowerCase(character) != KEY.charAt(matched)) {
          return false;
        }
        matched++;
      }
    }
    return matched == KEY.length();
  }

  /** Adds a fault for each key that was noted: no key is given where it belongs. */
  void checkKeys(String rule, FieldReader fields) {
    keys.forEach(name -> fields.fault(Fault.pointer("", name), rule));
  }

  /**
   * Adds a fault for what was noted beside a payload that lacks it.
   *
   * @param payload null if it is absent; one that is no object has a fault for it all
   */
  void checkMeta(@Nullable SentPayload payload, FieldReader fields) {
    Optional<SentMeta> meta = Optional.ofNullable(payload).flatMap(SentPayload::sentMeta);
    if (hasMeta && meta.isEmpty()) {
      fields.fault("/_meta", "belongs in payload");
    }
    if (hasBrand && !hasBrand(meta, fields)) {
      fields.fault("/brand_id", "belongs in the _meta of payload");
    }
  }

  /** A brand that breaks its rule has a fault already. */
  private static boolean hasBrand(Optional<SentMeta> meta, FieldReader fields) {
    return meta.map(SentMeta::meta).flatMap(Meta::brandId).isPresent()
        || fields.hasFault(PayloadReader.META)
        || fields.hasFault(PayloadReader.META + "/brand_id");
  }
}
