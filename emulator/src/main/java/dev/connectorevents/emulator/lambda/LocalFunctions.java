package dev.connectorevents.emulator.lambda;

import java.util.List;
import java.util.Optional;

/** The functions there are, found by whatever a caller may call them. */
public record LocalFunctions(List<LocalFunction> all) {
  public LocalFunctions {
    all = List.copyOf(all);
  }

  /** By logical id, by FunctionName, or by an ARN that ends in one of them and a qualifier. */
  public Optional<LocalFunction> find(String name) {
    var parts = name.split(":", -1);
    var bare = parts.length > 6 && parts[0].equals("arn") ? parts[6] : parts[0];
    return all.stream()
        .filter(function ->
            function.definition().id().equals(bare) || function.definition().name().equals(bare))
        .findFirst();
  }
}
