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

  /** Parses the name that operators use and the table stores; empty if there is no such role. */
  public static Optional<Role> parse(String text) {
    return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
  }

  /** All names, for a message. */
  public static String list() {
    return Arrays.stream(values()).map(Role::text).collect(Collectors.joining(", "));
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
