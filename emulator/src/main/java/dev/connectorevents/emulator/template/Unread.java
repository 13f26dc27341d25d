package dev.connectorevents.emulator.template;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The settings of a template that nobody has read. The emulator refuses them: if it ignored one, it
 * would run something else than what AWS deploys.
 */
final class Unread {

  /** Settings beside a resource's properties that change nothing on this machine. */
  private static final Set<String> OF_RESOURCES_WITHOUT_EFFECT =
      Set.of("DeletionPolicy", "DependsOn", "Metadata", "UpdateReplacePolicy");

  /** Settings of all other places that change nothing on this machine. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "AWSTemplateFormatVersion",
          "AccessLogSettings",
          "Architectures",
          "AutoPublishAlias",
          "AutoPublishAliasAllProperties",
          "BillingMode",
          "CodeUri",
          "DeletionProtectionEnabled",
          "DeploymentPreference",
          "Description",
          "DisableExecuteApiEndpoint",
          "EventInvokeConfig", // a schedule's call is never repeated here
          "KmsKeyId",
          "LoggingConfig",
          "MaximumBatchingWindowInSeconds", // the emulator never gathers
          "Metadata",
          "OnDemandThroughput",
          "PointInTimeRecoverySpecification",
          "RetryPolicy",
          "RotateImmediatelyOnUpdate",
          "RotationRules",
          "SSESpecification",
          "SnapStart",
          "Tags",
          "VersionDescription");

  private static final Pattern RESOURCE = Pattern.compile("Resources\\.[^.]+");

  private final Map<String, Set<String>> given = new LinkedHashMap<>();
  private final Map<String, Set<String>> read = new LinkedHashMap<>();

  /** Notes that these settings stand in a place. */
  void given(String where, Set<String> names) {
    given.computeIfAbsent(where, any -> new LinkedHashSet<>()).addAll(names);
  }

  /** Notes that somebody has asked for this setting, whether it is there or not. */
  void read(String where, String name) {
    read.computeIfAbsent(where, any -> new TreeSet<>()).add(name);
  }

  /**
   * Call after the whole template has been read.
   *
   * @throws TemplateMistake for the first setting that nobody has read
   */
  void refuse() {
    given.forEach((where, names) -> {
      Set<String> withoutEffect =
          RESOURCE.matcher(where).matches() ? OF_RESOURCES_WITHOUT_EFFECT : WITHOUT_EFFECT;
      Set<String> known = read.getOrDefault(where, Set.of());
      for (String name : names) {
        if (!known.contains(name) && !withoutEffect.contains(name)) {
          throw new TemplateMistake(
              where.isEmpty() ? "the template" : where,
              "there is no setting " + name + " here, only " + known);
        }
      }
    });
  }
}
