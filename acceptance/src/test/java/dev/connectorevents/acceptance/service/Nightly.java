package dev.connectorevents.acceptance.service;

/** Lets a test go deeper in the nightly build: {@code ./mvnw verify -Pnightly}. */
public final class Nightly {

  private static final boolean IS_NIGHTLY = Boolean.getBoolean("nightly");

  private Nightly() {}

  /** How often a test tries something. */
  public static int times(int inEveryBuild, int nightly) {
    return IS_NIGHTLY ? nightly : inEveryBuild;
  }
}
