package dev.connectorevents.emulator.function;

import java.util.List;
import java.util.Optional;

/** All functions of the template. */
public record LocalFunctions(List<LocalFunction> all) {
  public LocalFunctions {
    all = List.copyOf(all);
  }

  /** Finds a function by logical id or ARN, with or without a qualifier. */
  public Optional<LocalFunction> find(String name) {
    String[] parts = name.split(":", -1);
    String bare = parts.length > 6 && parts[0].equals("arn") ? parts[6] : parts[0];
    return all.stream().filter(function -> function.definition().id().equals(bare)).findFirst();
  }
}
