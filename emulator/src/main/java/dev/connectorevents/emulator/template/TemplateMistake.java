package dev.connectorevents.emulator.template;

/** Says what is wrong with a template and where, so that it is mended before any deploy. */
public final class TemplateMistake extends RuntimeException {
  private static final long serialVersionUID = 1;

  TemplateMistake(String where, String what) {
    super(where + ": " + what);
  }
}
