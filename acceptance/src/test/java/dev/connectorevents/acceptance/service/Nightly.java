package dev.connectorevents.acceptance.service;

/** Lets a test try more cases in the nightly build, {@code ./mvnw verify -Pnightly}. */
public final class Nightly {

  private static final boolean IS_NIGHTLY = Boolean.getBoolean("nightly");

  private Nightly() {}

  /** Returns {@code nightly} in the nightly build, and {@code usually} in other builds. */
  public static int choose(int usually, int nightly) {
    return IS_NIGHTLY ? nightly : usually;
  }
}
