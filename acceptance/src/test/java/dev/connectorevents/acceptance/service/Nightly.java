package dev.connectorevents.acceptance.service;

/** Lets a test go deeper in the nightly build: {@code ./mvnw verify -Pnightly}. */
public final class Nightly {

  private static final boolean IS_NIGHTLY = Boolean.getBoolean("nightly");

  private Nightly() {}

  /** The second value in the nightly build, the first otherwise. */
  public static int choose(int usually, int nightly) {
    return IS_NIGHTLY ? nightly : usually;
  }
}
