package dev.connectorevents.user;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a user may do with events. */
public enum Role {
  /** Sends events. */
  CONNECTOR,
  /** Reads events. */
  CONSUMER;

  /** Parses {@link #text}; empty if there is no such role. */
  public static Optional<Role> parse(String text) {
    return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
  }

  /** All names, separated by commas, for a message. */
  public static String names() {
    return Arrays.stream(values()).map(Role::text).collect(Collectors.joining(", "));
  }

  /** The name that operators use and the table stores. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
