package dev.connectorevents.emulator;

import dev.connectorevents.emulator.EmulatorOptions.Elsewhere;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The DynamoDB and the Secrets Manager of the tests. By default, both run in this process. {@code
 * -Daws.endpoint} gives another address. Its value {@code localstack} starts LocalStack in a
 * container.
 */
public final class Endpoint {

  /** The system property with the address of DynamoDB and Secrets Manager. */
  public static final String PROPERTY = "aws.endpoint";

  /** Why some tests of large payloads do not run on moto. */
  public static final String MOTO_ITEM_SIZE =
      "moto counts the base64 of a binary attribute and refuses items that DynamoDB accepts";

  private static final Optional<URI> GIVEN =
      Optional.ofNullable(System.getProperty(PROPERTY)).map(Endpoint::found);
  private static final boolean IS_MOTO = GIVEN.map(Endpoint::answersAsMoto).orElse(false);

  private Endpoint() {}

  /** Starts a template's stores. Throws no checked exception, so that it can initialize a field. */
  public static Stores stores(Path template) {
    try {
      return Stores.start(options(template, Map.of()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the emulator. Throws no checked exception, so that it can initialize a field. */
  public static Emulator start(EmulatorOptions options) {
    try {
      return Emulator.start(options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static EmulatorOptions options(Path template, Map<String, String> parameters) {
    return new EmulatorOptions(
        template, 0, Optional.empty(), parameters, GIVEN.map(Elsewhere::temporary));
  }

  public static boolean isGiven() {
    return GIVEN.isPresent();
  }

  public static boolean isMoto() {
    return IS_MOTO;
  }

  private static URI found(String property) {
    return property.equals("localstack") ? LocalStack.start() : URI.create(property);
  }

  private static boolean answersAsMoto(URI endpoint) {
    HttpRequest request = HttpRequest.newBuilder(endpoint.resolve("/moto-api/data.json")).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      throw new IllegalStateException("nobody answers at " + endpoint, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
