package dev.connectorevents.emulator.template;

/** A mistake in a template, with its place. */
public final class TemplateMistake extends RuntimeException {
  private static final long serialVersionUID = 1;

  public TemplateMistake(String where, String what) {
    super(where + ": " + what);
  }
}
