package dev.connectorevents.bench.coldstart;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A group of classes, such as a library's.
 *
 * @param names matches the beginning of a class's name
 */
record ClassGroup(String title, String purpose, Pattern names) {

  /**
   * All groups, in this order: a class belongs to the first group whose pattern matches its name.
   */
  private static final List<ClassGroup> GROUPS =
      """
      made at run time; lambda expressions and method handles; .*\\$\\$Lambda|java.lang.invoke.LambdaForm\\$
      ours; what the service does; dev.connectorevents
      Lambda's runtime; fetches events, calls the function; com.amazonaws
      SDK: CRT client; HTTP and TLS, the most of it in native code; software.amazon.awssdk.(crt|crtcore|http.crt)
      SDK: DynamoDB; the client, its requests and answers, its endpoints; software.amazon.awssdk.services.dynamodb
      SDK: Secrets Manager; the same, for the signing key; software.amazon.awssdk.services.secretsmanager
      SDK: auth and identity; credentials, and signing with them; software.amazon.awssdk.(auth|identity|http.auth)
      SDK: core; the way of a call: marshalling, tries, interceptors; software.amazon.awssdk.(core|awscore|protocols|retries)
      SDK: rest; regions, profiles, metrics, HTTP's own types, utilities; software.amazon
      jjwt; reads and verifies tokens; io.jsonwebtoken
      Jackson; JSON as a stream; com.fasterxml.jackson
      java.*; the JDK's own: collections, streams, time, crypto …; javax?
      jdk.*, sun.*; what is behind them; jdk|sun|com.sun
      others; bcrypt, SLF4J, Reactive Streams …; .*
      """
          .lines()
          .map(line -> line.split("; ", -1))
          .map(
              cells -> new ClassGroup(cells[0], cells[1], Pattern.compile("(" + cells[2] + ")\\b")))
          .toList();

  static ClassGroup of(String className) {
    return GROUPS.stream()
        .filter(group -> group.names.matcher(className).lookingAt())
        .findFirst()
        .orElseThrow();
  }

  /** The number of classes in each group; leaves out empty groups. */
  static Map<ClassGroup, Long> count(List<String> classes) {
    return classes.stream().collect(groupingBy(ClassGroup::of, LinkedHashMap::new, counting()));
  }
}
