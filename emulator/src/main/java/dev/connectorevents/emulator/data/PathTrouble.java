package dev.connectorevents.emulator.data;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Messages for failures with a path: the JDK's message is often only the path. */
public final class PathTrouble {
  private PathTrouble() {}

  public static String of(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> "it does not exist";
      case FileAlreadyExistsException file -> "it is a file, not a directory";
      case AccessDeniedException denied -> "permission denied";
      case CharacterCodingException binary -> "it is not UTF-8 text";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
