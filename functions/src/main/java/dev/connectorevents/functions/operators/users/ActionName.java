package dev.connectorevents.functions.operators.users;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The names of the operators' actions. */
enum ActionName {
  CREATE,
  DISABLE,
  ENABLE,
  RESET_PASSWORD,
  REVOKE_TOKENS,
  SET_ROLE,
  SET_SCOPE,
  ISSUE_STATIC_TOKEN,
  DELETE,
  SHOW,
  LIST;

  static Optional<ActionName> parse(String text) {
    return Arrays.stream(values()).filter(name -> name.toString().equals(text)).findFirst();
  }

  static String list() {
    return Arrays.stream(values()).map(ActionName::toString).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
