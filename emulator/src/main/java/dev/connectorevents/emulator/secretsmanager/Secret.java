package dev.connectorevents.emulator.secretsmanager;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A secret with its versions. A stage belongs to at most one version.
 *
 * @param created epoch seconds
 * @param versions by their VersionIds, the oldest first
 */
record Secret(String name, String arn, double created, SequencedMap<String, Version> versions) {

  static final String CURRENT = "AWSCURRENT";
  static final String PREVIOUS = "AWSPREVIOUS";
  static final String PENDING = "AWSPENDING";

  Secret {
    versions = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(versions));
  }

  /**
   * One value of the secret.
   *
   * @param text empty until a rotation has set the value
   * @param created epoch seconds
   * @param stages such as {@code AWSCURRENT}; empty for a version that is no longer used
   */
  record Version(String text, double created, List<String> stages) {
    Version {
      stages = List.copyOf(stages);
    }

    Version with(String stage) {
      List<String> more = Stream.concat(stages.stream(), Stream.of(stage)).toList();
      return new Version(text, created, more);
    }

    Version without(String stage) {
      return new Version(text, created, stages.stream().filter(s -> !s.equals(stage)).toList());
    }
  }

  Secret with(String versionId, Version version) {
    SequencedMap<String, Version> more = new LinkedHashMap<>(versions);
    more.put(versionId, version);
    return new Secret(name, arn, created, more);
  }

  /** The VersionId of the version with a stage. */
  Optional<String> versionIdWith(String stage) {
    return versions.entrySet().stream()
        .filter(each -> each.getValue().stages().contains(stage))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * Moves a stage. As on AWS, the version that loses AWSCURRENT becomes AWSPREVIOUS.
   *
   * @param versionId of the version that gets the stage; null removes the stage
   */
  Secret move(String stage, @Nullable String versionId) {
    String from = versionIdWith(stage).orElse(null);
    if (Objects.equals(from, versionId)) {
      return this;
    }
    SequencedMap<String, Version> moved = new LinkedHashMap<>(versions);
    moved.replaceAll(
        (id, version) -> id.equals(versionId) ? version.with(stage) : version.without(stage));
    Secret secret = new Secret(name, arn, created, moved);
    return stage.equals(CURRENT) && from != null ? secret.move(PREVIOUS, from) : secret;
  }
}
