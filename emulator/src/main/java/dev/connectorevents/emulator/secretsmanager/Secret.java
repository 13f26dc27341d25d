package dev.connectorevents.emulator.secretsmanager;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * A secret with its versions; each stage stands on at most one of them.
 *
 * @param created epoch seconds
 */
record Secret(String name, String arn, double created, SequencedMap<String, Version> versions) {
  static final String CURRENT = "AWSCURRENT";
  static final String PREVIOUS = "AWSPREVIOUS";
  static final String PENDING = "AWSPENDING";

  /**
   * One value the secret has or had.
   *
   * @param text empty while a rotation has not made the value yet
   * @param created epoch seconds
   */
  record Version(String text, double created, List<String> stages) {
    Version {
      stages = List.copyOf(stages);
    }

    Version with(String stage) {
      var more = new ArrayList<>(stages);
      more.add(stage);
      return new Version(text, created, more);
    }

    Version without(String stage) {
      return new Version(text, created, stages.stream().filter(s -> !s.equals(stage)).toList());
    }
  }

  Secret with(String versionId, Version version) {
    var more = new LinkedHashMap<>(versions);
    more.put(versionId, version);
    return new Secret(name, arn, created, more);
  }

  Optional<String> holder(String stage) {
    return versions.entrySet().stream()
        .filter(each -> each.getValue().stages().contains(stage))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * Moves a stage. As on AWS, the version that AWSCURRENT leaves becomes AWSPREVIOUS.
   *
   * @param versionId where it goes; null takes it away
   */
  Secret move(String stage, @Nullable String versionId) {
    var from = holder(stage).orElse(null);
    if (Objects.equals(from, versionId)) {
      return this;
    }
    var moved = new LinkedHashMap<String, Version>();
    versions.forEach((id, version) -> moved.put(id, version.without(stage)));
    if (versionId != null) {
      moved.computeIfPresent(versionId, (id, version) -> version.with(stage));
    }
    var secret = new Secret(name, arn, created, moved);
    return stage.equals(CURRENT) && from != null ? secret.move(PREVIOUS, from) : secret;
  }
}
