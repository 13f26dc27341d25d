package dev.connectorevents.emulator.secretsmanager;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.data.PrivateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where the secrets outlive the process; without a file they do not. */
record SecretsFile(Optional<Path> file) {
  private static final ObjectMapper JSON = new ObjectMapper();

  List<Secret> load() {
    if (file.isEmpty() || !Files.exists(file.get())) {
      return List.of();
    }
    try {
      return JSON.readValue(file.get().toFile(), new TypeReference<List<Secret>>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(file.get() + " cannot be read", e);
    }
  }

  void store(List<Secret> secrets) {
    if (file.isPresent()) {
      try {
        PrivateFile.replace(
            file.get(), JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(secrets));
      } catch (IOException e) {
        throw new UncheckedIOException(file.get() + " cannot be written", e);
      }
    }
  }
}
