package dev.connectorevents.acceptance.service;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** What the functions of a service have logged, exceptions included. */
public final class CapturedLog implements Consumer<String> {

  private final Queue<String> messages = new ConcurrentLinkedQueue<>();

  @Override
  public void accept(String message) {
    messages.add(message);
  }

  public String text() {
    return String.join("\n", messages);
  }

  /** All lines that are not empty. Only a line feed separates lines, a carriage return does not. */
  public List<String> lines() {
    return List.of(text().split("\n")).stream().filter(line -> !line.isEmpty()).toList();
  }

  public void clear() {
    messages.clear();
  }
}
