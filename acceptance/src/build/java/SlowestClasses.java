import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Prints a build's ten slowest test classes, and the seconds of all, so that growth shows in the
 * change that brings it. Maven runs this file as it is, with its own JDK.
 *
 * <p>Arguments: the project's folder; when the build began, in UTC, since older reports may be there.
 */
class SlowestClasses {

  private record Report(String name, double seconds) {}

  public static void main(String[] args) throws IOException, XMLStreamException {
    Instant beginning =
        DateTimeFormatter.ofPattern("yyyyMMddHHmmss")
            .withZone(ZoneOffset.UTC)
            .parse(args[1], Instant::from);
    List<Report> reports = new ArrayList<>();
    for (Path file : files(Path.of(args[0]))) {
      if (!Files.getLastModifiedTime(file).toInstant().isBefore(beginning)) {
        reports.add(read(file));
      }
    }
    reports.sort(Comparator.comparing(Report::seconds).reversed());
    System.out.printf(
        "The ten slowest of %d test classes, which ran side by side for %.0f s in sum:%n",
        reports.size(), reports.stream().mapToDouble(Report::seconds).sum());
    reports.stream()
        .limit(10)
        .forEach(each -> System.out.printf("%6.1f s  %s%n", each.seconds(), each.name()));
  }

  private static List<Path> files(Path project) throws IOException {
    PathMatcher report =
        FileSystems.getDefault().getPathMatcher("glob:**/target/surefire-reports/TEST-*.xml");
    try (Stream<Path> found = Files.find(project, 4, (file, about) -> report.matches(file))) {
      return found.toList();
    }
  }

  private static Report read(Path file) throws IOException, XMLStreamException {
    try (InputStream text = Files.newInputStream(file)) {
      XMLStreamReader xml = XMLInputFactory.newFactory().createXMLStreamReader(text);
      xml.nextTag();
      return new Report(
          xml.getAttributeValue(null, "name"),
          Double.parseDouble(xml.getAttributeValue(null, "time")));
    }
  }
}
