package dev.connectorevents.local;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.data.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Keeps a generated password, since the database has only its hash. */
final class CredentialsFile {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Optional<Path> file;

  CredentialsFile(Optional<Path> file) {
    this.file = file;
  }

  record Kept(String email, String password) {}

  Optional<Kept> read() throws IOException {
    return file.isPresent() && Files.exists(file.get())
        ? Optional.of(JSON.readValue(file.get().toFile(), Kept.class))
        : Optional.empty();
  }

  void write(Kept kept) throws IOException {
    if (file.isPresent()) {
      PrivateFile.replace(file.get(), JSON.writeValueAsBytes(kept));
    }
  }
}
