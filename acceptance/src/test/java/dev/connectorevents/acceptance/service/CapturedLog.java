package dev.connectorevents.acceptance.service;

import java.util.List;
import java.util.function.Consumer;

/** What the functions of a service have logged, exceptions included. */
public final class CapturedLog implements Consumer<String> {

  private final StringBuffer written = new StringBuffer();

  @Override
  public void accept(String message) {
    written.append(message + "\n");
  }

  public String text() {
    return written.toString();
  }

  /** The lines. Only a line feed ends a line; a carriage return belongs to its line. */
  public List<String> lines() {
    return List.of(text().split("\n")).stream().filter(line -> !line.isEmpty()).toList();
  }

  public void clear() {
    written.setLength(0);
  }
}
