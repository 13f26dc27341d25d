package dev.connectorevents.emulator.function;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** All functions of the template. */
public record LocalFunctions(List<LocalFunction> all) implements FunctionInvoker {
  public LocalFunctions {
    all = List.copyOf(all);
  }

  /** Finds a function by logical id or ARN, with or without a qualifier. */
  public Optional<LocalFunction> find(String name) {
    String[] parts = name.split(":", -1);
    String bare = parts.length > 6 && parts[0].equals("arn") ? parts[6] : parts[0];
    return all.stream().filter(function -> function.definition().id().equals(bare)).findFirst();
  }

  @Override
  public Invocation invoke(String name, byte[] event) {
    return find(name)
        .map(function -> function.invoke(event, UUID.randomUUID().toString()).outcome())
        .orElseGet(() -> Invocation.Failed.of("ResourceNotFoundException", "no function " + name));
  }
}
