package dev.connectorevents.bench.coldstart;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jars that a peer is deployed with, by their place in Maven's repository.
 *
 * @param included parts of a jar's path, one of which it has
 * @param excluded parts of a jar's path, none of which it has
 */
record Libraries(String name, List<String> included, List<String> excluded) {

  private static final List<String> OF_EVENTS =
      List.of("/aws-lambda-java-core/", "/aws-lambda-java-events/", "/joda-time/");

  private static final List<String> OF_SDK =
      List.of(
          "/software/amazon/awssdk/",
          "/software/amazon/eventstream/",
          "/org/reactivestreams/",
          "/org/slf4j/",
          "/com/fasterxml/jackson/core/");

  /** What the bench has for other things, or what nobody deploys who has chosen a client. */
  private static final List<String> NOT_DEPLOYED =
      List.of(
          "/apache5-client/",
          "/netty-nio-client/",
          "/cognitoidentity/",
          "/cognitoidentityprovider/",
          "/dynamodb-enhanced/",
          "/pinpoint/",
          "/secretsmanager/");

  private static final List<String> OF_CRT = List.of("/aws-crt-client/", "/aws-crt/", "/crt-core/");

  static final Libraries EVENTS = new Libraries("events", OF_EVENTS, List.of());
  static final Libraries URL_CONNECTION = sdk("url-connection", OF_CRT);
  static final Libraries CRT = sdk("crt", List.of("/url-connection-client/"));

  private static Libraries sdk(String name, List<String> excluded) {
    return new Libraries(name, both(OF_EVENTS, OF_SDK), both(NOT_DEPLOYED, excluded));
  }

  private static List<String> both(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  boolean contain(Path jar) {
    String place = jar.toString();
    return included.stream().anyMatch(place::contains)
        && excluded.stream().noneMatch(place::contains);
  }
}
