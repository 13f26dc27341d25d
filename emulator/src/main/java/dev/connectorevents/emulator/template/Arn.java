package dev.connectorevents.emulator.template;

/** ARNs in a fictitious account. */
public final class Arn {

  static final String REGION = "us-east-1";
  static final String ACCOUNT = "000000000000";

  private Arn() {}

  public static String table(String name) {
    return of("dynamodb", "table/" + name);
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
