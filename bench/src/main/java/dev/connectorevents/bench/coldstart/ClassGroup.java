package dev.connectorevents.bench.coldstart;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whose a class is, by its package.
 *
 * @param purpose what its classes are there for
 * @param prefixes of their names
 */
record ClassGroup(String title, String purpose, List<String> prefixes) {

  private static final ClassGroup MADE_AT_RUN_TIME =
      new ClassGroup("made at run time", "lambda expressions and method handles", List.of());

  private static final ClassGroup OTHERS =
      new ClassGroup("others", "bcrypt, SLF4J, Reactive Streams …", List.of());

  /** The first that fits counts. */
  private static final List<ClassGroup> BY_PREFIX =
      List.of(
          new ClassGroup("ours", "what the service does", List.of("dev.connectorevents.")),
          new ClassGroup(
              "Lambda's runtime", "fetches events, calls the function", List.of("com.amazonaws.")),
          new ClassGroup(
              "SDK: CRT client",
              "HTTP and TLS, the most of it in native code",
              List.of(
                  "software.amazon.awssdk.crt.",
                  "software.amazon.awssdk.crtcore.",
                  "software.amazon.awssdk.http.crt.")),
          new ClassGroup(
              "SDK: DynamoDB",
              "the client, its requests and answers, its endpoints",
              List.of("software.amazon.awssdk.services.dynamodb.")),
          new ClassGroup(
              "SDK: Secrets Manager",
              "the same, for the signing key",
              List.of("software.amazon.awssdk.services.secretsmanager.")),
          new ClassGroup(
              "SDK: auth and identity",
              "credentials, and signing with them",
              List.of(
                  "software.amazon.awssdk.auth.",
                  "software.amazon.awssdk.identity.",
                  "software.amazon.awssdk.http.auth.")),
          new ClassGroup(
              "SDK: core",
              "the way of a call: marshalling, tries, interceptors",
              List.of(
                  "software.amazon.awssdk.core.",
                  "software.amazon.awssdk.awscore.",
                  "software.amazon.awssdk.protocols.",
                  "software.amazon.awssdk.retries.")),
          new ClassGroup(
              "SDK: rest",
              "regions, profiles, metrics, HTTP's own types, utilities",
              List.of("software.amazon.")),
          new ClassGroup("jjwt", "reads and verifies tokens", List.of("io.jsonwebtoken.")),
          new ClassGroup("Jackson", "JSON as a stream", List.of("com.fasterxml.jackson.")),
          new ClassGroup(
              "java.*",
              "the JDK's own: collections, streams, time, crypto …",
              List.of("java.", "javax.")),
          new ClassGroup(
              "jdk.*, sun.*", "what is behind them", List.of("jdk.", "sun.", "com.sun.")));

  static ClassGroup of(String className) {
    if (className.contains("$$Lambda") || className.startsWith("java.lang.invoke.LambdaForm$")) {
      return MADE_AT_RUN_TIME;
    }
    return BY_PREFIX.stream()
        .filter(group -> group.prefixes.stream().anyMatch(className::startsWith))
        .findFirst()
        .orElse(OTHERS);
  }

  /** How many classes each group has, of those that have any. */
  static Map<ClassGroup, Integer> count(List<String> classes) {
    Map<ClassGroup, Integer> counts = new HashMap<>();
    for (String each : classes) {
      counts.merge(of(each), 1, Integer::sum);
    }
    return counts;
  }
}
