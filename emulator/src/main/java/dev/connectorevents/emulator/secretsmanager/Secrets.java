package dev.connectorevents.emulator.secretsmanager;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.data.PrivateFile;
import dev.connectorevents.emulator.template.SecretDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** All secrets. Stores each change before it takes effect. */
final class Secrets {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Secret> byName = new LinkedHashMap<>();
  private final Optional<Path> file;
  private final Clock clock;

  /**
   * @param file keeps the secrets; without it, they stay in memory
   */
  Secrets(Optional<Path> file, Clock clock) throws IOException {
    this.file = file;
    this.clock = clock;
    if (file.isPresent() && Files.exists(file.get())) {
      JSON.readValue(file.get().toFile(), new TypeReference<List<Secret>>() {})
          .forEach(secret -> byName.put(secret.name(), secret));
    }
  }

  /** Finds a secret by its name or its ARN. */
  synchronized Secret find(String id) {
    return byName.values().stream()
        .filter(secret -> secret.name().equals(id) || secret.arn().equals(id))
        .findFirst()
        .orElseThrow(() -> ServiceFault.notFound("secret"));
  }

  synchronized List<Secret> all() {
    return List.copyOf(byName.values());
  }

  synchronized Secret change(String id, UnaryOperator<Secret> change) {
    Secret before = find(id);
    Secret after = change.apply(before);
    if (!after.equals(before)) {
      put(after);
    }
    return after;
  }

  /** Creates the template's secrets that do not exist yet. */
  synchronized void create(List<SecretDefinition> definitions) {
    for (SecretDefinition definition : definitions) {
      if (!byName.containsKey(definition.name())) {
        Secret.Version first =
            new Secret.Version(definition.text().get(), now(), List.of(Secret.CURRENT));
        put(
            new Secret(definition.name(), definition.arn(), now(), new LinkedHashMap<>())
                .with(UUID.randomUUID().toString(), first));
      }
    }
  }

  /** Epoch seconds. */
  double now() {
    return clock.millis() / 1000.0;
  }

  private void put(Secret secret) {
    Map<String, Secret> next = new LinkedHashMap<>(byName);
    next.put(secret.name(), secret);
    file.ifPresent(path -> store(path, List.copyOf(next.values())));
    byName.put(secret.name(), secret);
  }

  private static void store(Path file, List<Secret> secrets) {
    try {
      PrivateFile.replace(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(secrets));
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written", e);
    }
  }
}
