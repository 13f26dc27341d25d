package dev.connectorevents.emulator.template;

import java.util.Optional;

/** ARNs in a fictitious account. */
public final class Arn {

  static final String REGION = "us-east-1";
  static final String ACCOUNT = "000000000000";

  private static final String STREAM = "/stream/local";

  private Arn() {}

  public static String table(String name) {
    return of("dynamodb", "table/" + name);
  }

  /** Of the table with this name. The real one ends in a time. */
  static String stream(String table) {
    return table(table + STREAM);
  }

  /** The name of the table of a {@link #stream}; empty if it is none. */
  static Optional<String> tableOfStream(String arn) {
    String table = table("");
    return arn.startsWith(table) && arn.endsWith(STREAM)
        ? Optional.of(arn.substring(table.length(), arn.length() - STREAM.length()))
        : Optional.empty();
  }

  public static String secret(String name) {
    return of("secretsmanager", "secret:" + name);
  }

  public static String function(String name) {
    return of("lambda", "function:" + name);
  }

  /** IAM's ARNs have no region. */
  static String policy(String name) {
    return "arn:aws:iam::" + ACCOUNT + ":policy/" + name;
  }

  static String of(String service, String rest) {
    return "arn:aws:" + service + ":" + REGION + ":" + ACCOUNT + ":" + rest;
  }
}
