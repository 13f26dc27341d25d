package dev.connectorevents.functions.rotatesigningkey;

import java.util.Arrays;

/** The four calls that Secrets Manager makes, in their order. */
enum RotationStep {
  CREATE("createSecret"),
  SET("setSecret"),
  TEST("testSecret"),
  FINISH("finishSecret");

  private final String awsName;

  RotationStep(String awsName) {
    this.awsName = awsName;
  }

  /**
   * Parses Secrets Manager's name of a step.
   *
   * @throws IllegalArgumentException if there is no such step
   */
  static RotationStep of(String awsName) {
    return Arrays.stream(values())
        .filter(step -> step.awsName.equals(awsName))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("a rotation has no such step"));
  }

  @Override
  public String toString() {
    return awsName;
  }
}
