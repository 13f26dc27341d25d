package dev.connectorevents.emulator.secretsmanager;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.template.SecretDefinition;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** The secrets, one change at a time; a change that is answered has been stored. */
final class Secrets {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final LinkedHashMap<String, Secret> byName = new LinkedHashMap<>();
  private final SecretsFile file;
  private final Clock clock;

  Secrets(SecretsFile file, Clock clock) {
    this.file = file;
    this.clock = clock;
    file.load().forEach(secret -> byName.put(secret.name(), secret));
  }

  /** By name, by ARN, or by an ARN without the random characters that AWS ends it with. */
  synchronized Secret find(String id) {
    return byName.values().stream()
        .filter(secret -> secret.name().equals(id) || secret.arn().equals(id))
        .findFirst()
        .orElseThrow(() -> ServiceFault.notFound("secret"));
  }

  synchronized List<Secret> all() {
    return List.copyOf(byName.values());
  }

  /** Changes a secret, and stores the change before it counts. */
  synchronized Secret change(String id, UnaryOperator<Secret> change) {
    var before = find(id);
    var after = change.apply(before);
    if (!after.equals(before)) {
      put(after);
    }
    return after;
  }

  /** Makes the secrets that the template declares and that are not there yet. */
  synchronized void create(List<SecretDefinition> definitions) {
    for (var definition : definitions) {
      if (!byName.containsKey(definition.name())) {
        var empty = new Secret(definition.name(), definition.arn(), now(), new LinkedHashMap<>());
        put(
            empty.with(
                UUID.randomUUID().toString(),
                new Secret.Version(text(definition.content()), now(), List.of(Secret.CURRENT))));
      }
    }
  }

  double now() {
    return clock.millis() / 1000.0;
  }

  private void put(Secret secret) {
    var next = new LinkedHashMap<>(byName);
    next.put(secret.name(), secret);
    file.store(List.copyOf(next.values()));
    byName.put(secret.name(), secret);
  }

  /** What a new secret holds. */
  static String text(SecretDefinition.Content content) {
    return switch (content) {
      case SecretDefinition.Content.Written written -> written.text();
      case SecretDefinition.Content.Generated generated -> {
        var password = new RandomPassword(generated.rules()).make();
        yield generated.json().map(place -> inside(place, password)).orElse(password);
      }
    };
  }

  private static String inside(SecretDefinition.JsonPlace place, String password) {
    try {
      if (JSON.readTree(place.template()) instanceof ObjectNode object) {
        return object.put(place.key(), password).toString();
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("SecretStringTemplate is not JSON", e);
    }
    throw new IllegalArgumentException("SecretStringTemplate is not a JSON object");
  }
}
