package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the list shows of a body. It reads no values that it does not need: a body may have a number
 * of a million digits.
 *
 * @param members the names of the members of the body and of a batch's events, up to a mistake in
 *     the JSON
 * @param texts the distinct values that the list shows, by pointer within an event
 * @param slips members of a payload, such as {@code payload._meta.brandId}, that are nearly the
 *     name of one that the service reads and that is absent; with that name
 */
record SentBody(Set<String> members, Map<String, Set<String>> texts, Map<String, String> slips) {

  private static final String PAYLOAD = "/payload";
  private static final String META = "/payload/_meta";
  private static final String EVENT_TYPE = "/event_type";
  private static final String BRAND = META + "/brand_id";
  private static final String KEY = "/idempotency_key";
  private static final Set<String> SHOWN = Set.of(EVENT_TYPE, BRAND, KEY);
  private static final int MAX_TEXT = 255;

  /** What the service reads of a payload, and of its {@code _meta}. */
  private static final Map<String, Set<String>> READ =
      Map.of(PAYLOAD, Set.of("_meta"), META, Set.of("source", "topic", "request_id", "brand_id"));

  SentBody {
    members = Collections.unmodifiableSet(new LinkedHashSet<>(members));
    texts = Map.copyOf(texts);
    slips = Collections.unmodifiableMap(new LinkedHashMap<>(slips));
  }

  static SentBody of(String body) {
    Reader reader = new Reader();
    try (JsonParser parser = Json.FACTORY.createParser(body)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        reader.read(parser, "");
      }
    } catch (JsonProcessingException e) {
      return reader.sent();
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
    return reader.sent();
  }

  @Nullable String eventType() {
    return text(EVENT_TYPE);
  }

  @Nullable String brand() {
    return text(BRAND);
  }

  @Nullable String key() {
    return text(KEY);
  }

  /** The values of all events of a batch, joined and cut. */
  private @Nullable String text(String pointer) {
    Set<String> found = texts.get(pointer);
    return found == null ? null : shortened(String.join(", ", found));
  }

  private static String shortened(String text) {
    return text.substring(0, Math.min(text.length(), MAX_TEXT));
  }

  /** Collects what the list shows, in one pass. */
  private static final class Reader {

    private final Set<String> members = new LinkedHashSet<>();
    private final Map<String, Set<String>> texts = new HashMap<>();
    private final Map<String, String> slips = new LinkedHashMap<>();

    SentBody sent() {
      return new SentBody(members, texts, slips);
    }

    void read(JsonParser parser, String path) throws IOException {
      Set<String> wanted = READ.getOrDefault(path, Set.of());
      Map<String, String> near =
          new LinkedHashMap<>(); // the wanted name, by the name that was sent
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (path.isEmpty()) {
          members.add(name);
        }
        wanted.stream()
            .filter(each -> RequestHints.isSpelledLike(name, each))
            .forEach(each -> near.put(name, each));
        String pointer = path + "/" + name;
        switch (parser.nextToken()) {
          case VALUE_STRING -> addText(pointer, parser);
          case START_OBJECT -> {
            if (pointer.equals(PAYLOAD) || pointer.equals(META)) {
              read(parser, pointer);
            } else {
              parser.skipChildren();
            }
          }
          case START_ARRAY -> {
            if (pointer.equals("/events")) {
              readEvents(parser);
            } else {
              parser.skipChildren();
            }
          }
          default -> parser.skipChildren();
        }
      }
      near.forEach((name, each) -> {
        if (!near.containsKey(each)) {
          slips.put((path.substring(1) + "/" + name).replace('/', '.'), each);
        }
      });
    }

    void readEvents(JsonParser parser) throws IOException {
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
          read(parser, "");
        } else {
          parser.skipChildren();
        }
      }
    }

    private void addText(String pointer, JsonParser parser) throws IOException {
      if (SHOWN.contains(pointer)) {
        texts
            .computeIfAbsent(pointer, key -> new LinkedHashSet<>())
            .add(shortened(parser.getText()));
      }
    }
  }
}
