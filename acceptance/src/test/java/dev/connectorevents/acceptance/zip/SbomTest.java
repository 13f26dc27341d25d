package dev.connectorevents.acceptance.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A scanner of the zip, and a reader of its SBOM, know what it is made of, and nothing else. */
class SbomTest {

  private static final Path FUNCTIONS = Path.of("../functions/target");

  /** Their jars have no {@code pom.properties}, by which scanners know a library. */
  private static final Map<String, String> UNSEEN =
      Map.of(
          "jspecify", "org.jspecify",
          "reactive-streams", "org.reactivestreams",
          "third-party-jackson-core", "software.amazon.awssdk");

  private static final List<Path> CLASS_PATH =
      Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
          .map(Path::of)
          .toList();

  private record Library(String group, String name, String version) {}

  /** Each class of the zip, as its name and the checksum of its bytes. */
  private static final Set<String> classes = new HashSet<>();

  private static final Set<Library> libraries = new HashSet<>();

  @BeforeAll
  static void readTheZip() throws IOException {
    try (ZipFile zip = new ZipFile(FUNCTIONS.resolve("functions.zip").toFile());
        InputStream jar = zip.getInputStream(zip.getEntry("lib/functions.jar"));
        ZipInputStream entries = new ZipInputStream(jar)) {
      for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
        if (entry.getName().endsWith(".class")) {
          classes.add(entry.getName() + " " + checksum(entries.readAllBytes()));
        } else if (entry.getName().endsWith("/pom.properties")) {
          libraries.add(library(entries));
        }
      }
    }
    UNSEEN.forEach((name, group) -> libraries.add(unseen(group, name)));
  }

  private static Library library(InputStream pomProperties) throws IOException {
    Properties library = new Properties();
    library.load(pomProperties);
    return new Library(
        library.getProperty("groupId"),
        library.getProperty("artifactId"),
        library.getProperty("version"));
  }

  private static Library unseen(String group, String name) {
    Pattern jar = Pattern.compile(Pattern.quote(name) + "-([0-9.]+)\\.jar");
    return CLASS_PATH.stream()
        .map(path -> jar.matcher(path.getFileName().toString()))
        .filter(Matcher::matches)
        .map(found -> new Library(group, name, found.group(1)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void each_class_is_of_a_library_that_a_scanner_sees_but_for_three_and_each_has_a_class()
      throws IOException {
    Set<String> unnamed = new HashSet<>(classes);
    for (Library library : libraries) {
      Set<String> own = classesOf(library);
      assertThat(own.stream().anyMatch(classes::contains)).as(library.toString()).isTrue();
      unnamed.removeAll(own);
    }

    assertThat(classes).hasSizeGreaterThan(5_000);
    assertThat(unnamed).isEmpty();
  }

  /** Only at night: the plugin that writes the SBOM takes seconds. Offline it writes none. */
  @Test
  @Tag("nightly")
  void the_sbom_has_the_names_and_versions_of_these_libraries() throws IOException {
    Path file = FUNCTIONS.resolve("functions.cdx.json");
    assumeTrue(Files.exists(file), "there is no SBOM: build online");

    JsonNode sbom = new ObjectMapper().readTree(file.toFile());

    assertThat(
            Stream.concat(
                Stream.of(sbom.at("/metadata/component")), sbom.get("components").valueStream()))
        .extracting(component ->
            new Library(
                component.get("group").textValue(),
                component.get("name").textValue(),
                component.get("version").textValue()))
        .containsExactlyInAnyOrderElementsOf(libraries);
  }

  /** The classes of a module of ours, or of the library of this version on the class path. */
  private static Set<String> classesOf(Library library) throws IOException {
    if (library.group().equals("dev.connectorevents")) {
      return inFolder(Path.of("..", library.name(), "target/classes"));
    }
    String jar = library.name() + "-" + library.version() + ".jar";
    Path found = CLASS_PATH.stream().filter(path -> path.endsWith(jar)).findFirst().orElseThrow();
    Set<String> inJar = new HashSet<>();
    try (ZipFile zip = new ZipFile(found.toFile())) {
      zip.stream().forEach(entry -> inJar.add(entry.getName() + " " + entry.getCrc()));
    }
    return inJar;
  }

  private static Set<String> inFolder(Path folder) throws IOException {
    Set<String> found = new HashSet<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String path = folder.relativize(file).toString().replace(File.separatorChar, '/');
        found.add(path + " " + checksum(Files.readAllBytes(file)));
      }
    }
    return found;
  }

  private static long checksum(byte[] bytes) {
    CRC32 checksum = new CRC32();
    checksum.update(bytes);
    return checksum.getValue();
  }
}
