package dev.connectorevents.bench.coldstart;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.bench.MarkdownTable;
import dev.connectorevents.bench.coldstart.Candidates.Candidate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much memory a function touches from its snapshot to its first answer, by what the memory is
 * for. Firecracker loads a page of a snapshot when it is touched first.
 *
 * @param starts for each candidate, the MiB of each start
 * @see <a href="https://docs.kernel.org/filesystems/proc.html">proc: clear_refs and smaps</a>
 */
record TouchedPages(Map<Candidate, List<Map<Kind, Double>>> starts) {

  /** What memory is for. */
  enum Kind {
    HEAP("Java heap"),
    CODE("compiled code"),
    CLASSES("classes"),
    STACKS("stacks"),
    FILES("libraries and jars"),
    REST("C heap, the collector's tables, rest");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /**
     * @param tag of {@code jcmd PID System.map}
     * @param file a path; a dash if there is none
     */
    private static Kind of(String tag, String file) {
      return switch (tag) {
        case "JAVAHEAP" -> HEAP;
        case "CODE" -> CODE;
        case "CDS", "CLASS", "META" -> CLASSES;
        case "STACK" -> STACKS;
        default -> file.startsWith("/") ? FILES : REST;
      };
    }
  }

  /** Lets {@code jcmd PID System.map} tell what memory is for. */
  static final String JVM_OPTION = "-XX:NativeMemoryTracking=summary";

  /** The beginning of a mapping in {@code smaps}, and what was touched of it, in KiB. */
  private static final Pattern REFERENCED =
      Pattern.compile(
          "^(\\p{XDigit}+)-\\p{XDigit}+ .*\\R(?:[A-Z].*\\R)*?Referenced: +(\\d+) kB",
          Pattern.MULTILINE);

  /** A row of {@code System.map}: beginning, size, rights, …, tag, file. */
  private static final Pattern MAPPING =
      Pattern.compile(
          "^0x(\\p{XDigit}+)-0x\\p{XDigit}+ .*? \\d+K +\\S+ +([A-Z]+)?[^/\\[\\n]*(\\S*)$",
          Pattern.MULTILINE);

  /** Forgets what a process has touched until now. */
  static void forget(long pid) throws IOException {
    Files.writeString(Path.of("/proc", Long.toString(pid), "clear_refs"), "1");
  }

  /** The MiB that a process has touched since. */
  static Map<Kind, Double> since(long pid) throws IOException, InterruptedException {
    String smaps = Files.readString(Path.of("/proc", Long.toString(pid), "smaps"));
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process map = new ProcessBuilder(jcmd, Long.toString(pid), "System.map").start();
    String text = new String(map.getInputStream().readAllBytes(), UTF_8);
    if (map.waitFor() != 0) {
      throw new IllegalStateException("jcmd fails: " + text);
    }
    return mib(smaps, text);
  }

  /**
   * @param smaps the text of Linux's {@code /proc/PID/smaps}
   * @param systemMap what {@code jcmd PID System.map} printed
   */
  static Map<Kind, Double> mib(String smaps, String systemMap) {
    TreeMap<Long, Kind> kinds = new TreeMap<>();
    Matcher mapping = MAPPING.matcher(systemMap);
    while (mapping.find()) {
      String tag = mapping.group(2) == null ? "" : mapping.group(2);
      kinds.put(address(mapping.group(1)), Kind.of(tag, mapping.group(3)));
    }
    Map<Kind, Double> mib = new EnumMap<>(Kind.class);
    Matcher touched = REFERENCED.matcher(smaps);
    while (touched.find()) {
      Map.Entry<Long, Kind> at = kinds.floorEntry(address(touched.group(1)));
      mib.merge(
          at == null ? Kind.REST : at.getValue(),
          Integer.parseInt(touched.group(2)) / 1024.0,
          Double::sum);
    }
    return mib;
  }

  private static long address(String hex) {
    return Long.parseUnsignedLong(hex, 16);
  }

  @Override
  public String toString() {
    MarkdownTable<Map.Entry<Candidate, List<Map<Kind, Double>>>> table =
        new MarkdownTable<>(List.copyOf(starts.entrySet()))
            .column("MiB", row -> row.getKey().name())
            .column("all", "%.1f", row -> median(row.getValue(), List.of(Kind.values())));
    for (Kind kind : Kind.values()) {
      table.column(kind.title, "%.1f", row -> median(row.getValue(), List.of(kind)));
    }
    return table.toString();
  }

  private static double median(List<Map<Kind, Double>> starts, List<Kind> kinds) {
    List<Double> sums = new ArrayList<>();
    for (Map<Kind, Double> start : starts) {
      sums.add(kinds.stream().mapToDouble(kind -> start.getOrDefault(kind, 0.0)).sum());
    }
    return Result.percentile(sums, 50);
  }
}
