package dev.connectorevents.emulator.template;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The names that the emulator knows in each part of a template. It refuses all other names: if it
 * ignored one, it would run something else than what AWS deploys.
 */
enum Vocabulary {
  TEMPLATE(
      "the template",
      Set.of("Conditions", "Globals", "Outputs", "Parameters", "Resources", "Transform"),
      Set.of("AWSTemplateFormatVersion", "Description", "Metadata")),
  TRANSFORM("`Transform`", Set.of("AWS::Serverless-2016-10-31"), Set.of()),
  PARAMETER(
      "a parameter",
      Set.of(
          "AllowedPattern",
          "AllowedValues",
          "Default",
          "MaxLength",
          "MaxValue",
          "MinValue",
          "Type"),
      Set.of("ConstraintDescription", "Description", "NoEcho")),
  PARAMETER_TYPE("its type", Set.of("CommaDelimitedList", "Number", "String"), Set.of()),
  GLOBALS("`Globals`", Set.of("Function"), Set.of()),
  OUTPUT("an output", Set.of("Value"), Set.of("Condition", "Description", "Export")),
  RESOURCE(
      "a resource",
      Set.of("Condition", "Properties", "Type"),
      Set.of("DeletionPolicy", "DependsOn", "Metadata", "UpdateReplacePolicy")),
  RESOURCE_TYPE(
      "its type",
      Set.of(
          "AWS::DynamoDB::Table",
          "AWS::IAM::ManagedPolicy",
          "AWS::SecretsManager::RotationSchedule",
          "AWS::SecretsManager::Secret",
          "AWS::Serverless::Function",
          "AWS::Serverless::HttpApi"),
      Set.of(
          "AWS::ApiGatewayV2::ApiMapping",
          "AWS::ApiGatewayV2::DomainName",
          "AWS::CloudWatch::Alarm",
          "AWS::CloudWatch::CompositeAlarm",
          "AWS::CloudWatch::Dashboard",
          "AWS::IAM::Role",
          "AWS::Lambda::Permission",
          "AWS::Logs::LogGroup",
          "AWS::Logs::MetricFilter",
          "AWS::Pipes::Pipe",
          "AWS::SQS::Queue")),
  MANAGED_POLICY("a managed policy", Set.of("PolicyDocument"), Set.of()),
  POLICY("a policy's document", Set.of("Version", "Statement"), Set.of()),
  FUNCTION(
      "a function, `Globals.Function`",
      Set.of(
          "Environment",
          "Events",
          "FunctionName",
          "Handler",
          "MemorySize",
          "Policies",
          "ReservedConcurrentExecutions",
          "Runtime",
          "Timeout"),
      Set.of(
          "Architectures",
          "AutoPublishAlias",
          "AutoPublishAliasAllProperties",
          "CodeUri",
          "DeploymentPreference",
          "Description",
          "LoggingConfig",
          "SnapStart",
          "Tags",
          "VersionDescription")),
  ENVIRONMENT("its environment", Set.of("Variables"), Set.of()),
  EVENT("its event", Set.of("Properties", "Type"), Set.of()),
  EVENT_TYPE("the event's type", Set.of("HttpApi"), Set.of()),
  ROUTE(
      "the event's properties",
      Set.of("ApiId", "Method", "Path", "PayloadFormatVersion"),
      Set.of()),
  HTTP_API(
      "an HTTP API",
      Set.of("DefaultRouteSettings", "RouteSettings"),
      Set.of("AccessLogSettings", "Description", "DisableExecuteApiEndpoint", "Tags")),
  ROUTE_SETTINGS(
      "settings of a route",
      Set.of("ThrottlingBurstLimit", "ThrottlingRateLimit"),
      Set.of("DataTraceEnabled", "DetailedMetricsEnabled", "LoggingLevel")),
  TABLE(
      "a table",
      Set.of(
          "AttributeDefinitions",
          "GlobalSecondaryIndexes",
          "KeySchema",
          "StreamSpecification",
          "TimeToLiveSpecification"),
      Set.of(
          "BillingMode",
          "DeletionProtectionEnabled",
          "PointInTimeRecoverySpecification",
          "SSESpecification",
          "Tags",
          "WarmThroughput")),
  ATTRIBUTE("its attribute", Set.of("AttributeName", "AttributeType"), Set.of()),
  KEY("its key", Set.of("AttributeName", "KeyType"), Set.of()),
  INDEX(
      "its index",
      Set.of("IndexName", "KeySchema", "Projection"),
      Set.of("OnDemandThroughput", "WarmThroughput")),
  PROJECTION("the index's projection", Set.of("NonKeyAttributes", "ProjectionType"), Set.of()),
  STREAM("its stream", Set.of("StreamViewType"), Set.of()),
  EXPIRY("its expiry", Set.of("AttributeName", "Enabled"), Set.of()),
  SECRET(
      "a secret",
      Set.of("GenerateSecretString", "Name", "SecretString"),
      Set.of("Description", "KmsKeyId", "Tags")),
  GENERATED_TEXT(
      "its generated text",
      Set.of("ExcludeCharacters", "ExcludePunctuation", "PasswordLength"),
      Set.of()),
  ROTATION(
      "a rotation",
      Set.of("RotationLambdaARN", "SecretId"),
      Set.of("RotateImmediatelyOnUpdate", "RotationRules"));

  /** The part that has these names, as the documentation and a {@link TemplateMistake} call it. */
  final String owner;

  @SuppressWarnings("ImmutableEnumChecker") // it is unmodifiable
  final SortedSet<String> used;

  @SuppressWarnings("ImmutableEnumChecker") // it is unmodifiable
  final SortedSet<String> withoutEffect;

  Vocabulary(String owner, Set<String> used, Set<String> withoutEffect) {
    this.owner = owner;
    this.used = Collections.unmodifiableSortedSet(new TreeSet<>(used));
    this.withoutEffect = Collections.unmodifiableSortedSet(new TreeSet<>(withoutEffect));
  }

  /**
   * Checks all names of a section.
   *
   * @return the section
   */
  Section check(Section section) {
    for (String name : section.values().keySet()) {
      if (!isKnown(name)) {
        String where = section.where().isEmpty() ? owner : section.where();
        throw new TemplateMistake(where, "there is no setting " + name + " here" + knownNames());
      }
    }
    return section;
  }

  /** Checks the value of a setting, such as a type. */
  void checkValue(Section section, String name) {
    String value = section.text(name);
    if (!isKnown(value)) {
      throw new TemplateMistake(section.path(name), value + " is not known here" + knownNames());
    }
  }

  private boolean isKnown(String name) {
    return used.contains(name) || withoutEffect.contains(name);
  }

  private String knownNames() {
    return ", only " + used + (withoutEffect.isEmpty() ? "" : "; without effect: " + withoutEffect);
  }
}
