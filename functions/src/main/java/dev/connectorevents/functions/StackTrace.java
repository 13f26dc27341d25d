package dev.connectorevents.functions;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Says where something failed and why, for the log and never for an answer. */
public final class StackTrace {

  private StackTrace() {}

  public static String of(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
