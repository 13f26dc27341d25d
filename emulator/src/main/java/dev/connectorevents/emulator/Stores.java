package dev.connectorevents.emulator;

import dev.connectorevents.emulator.EmulatorOptions.Elsewhere;
import dev.connectorevents.emulator.data.DataDirectory;
import dev.connectorevents.emulator.dynamodb.DynamoDbLocal;
import dev.connectorevents.emulator.dynamodb.Tables;
import dev.connectorevents.emulator.function.FunctionInvoker;
import dev.connectorevents.emulator.secretsmanager.SecretsElsewhere;
import dev.connectorevents.emulator.secretsmanager.SecretsManagerStandIn;
import dev.connectorevents.emulator.stream.EventSource;
import dev.connectorevents.emulator.stream.TableStream;
import dev.connectorevents.emulator.template.EventSourceMapping;
import dev.connectorevents.emulator.template.Template;
import dev.connectorevents.emulator.template.TemplateMistake;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** A template's tables and secrets. Every AWS client of this process uses them. */
public final class Stores implements AutoCloseable {
  private final OpenResources parts = new OpenResources();
  private final Template template;
  private final String prefix;
  private final SdkSettings settings;
  private final DynamoDbClient dynamoDb;
  private final DynamoDbStreamsClient streams;
  private final Optional<SecretsManagerStandIn> standIn;

  /**
   * Starts DynamoDB and Secrets Manager, unless the options name an endpoint, and creates missing
   * tables and secrets.
   *
   * @throws IOException when a port is taken, a file cannot be read, the data directory is in use
   *     or the endpoint does not answer as expected
   * @throws TemplateMistake for a mistake in the template
   */
  public static Stores start(EmulatorOptions options) throws IOException {
    return new Stores(options.readTemplate(), options, step -> {});
  }

  Stores(Template template, EmulatorOptions options, Consumer<String> steps) throws IOException {
    this.template = template;
    this.prefix = options.prefix();
    try {
      if (options.elsewhere().isPresent()) {
        Elsewhere elsewhere = options.elsewhere().get();
        settings = new SdkSettings(elsewhere.endpoint(), elsewhere.endpoint());
        standIn = Optional.empty();
        new EndpointProbe(elsewhere.endpoint()).requireBoth();
        createSecrets(elsewhere);
      } else {
        Optional<Path> data = openData(options);
        URI dynamoDbEndpoint = startDynamoDb(options.dynamoDbPort(), data, steps);
        standIn = Optional.of(startSecretsManager(options.secretsManagerPort(), data));
        settings = new SdkSettings(dynamoDbEndpoint, standIn.get().endpoint());
      }
      dynamoDb = parts.add(settings.dynamoDbClient());
      streams = parts.add(settings.streamsClient());
      createTables(options.elsewhere(), steps);
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private Optional<Path> openData(EmulatorOptions options) throws IOException {
    return options.data().isEmpty()
        ? Optional.empty()
        : Optional.of(parts.add(DataDirectory.open(options.data().get())).path());
  }

  private URI startDynamoDb(int port, Optional<Path> data, Consumer<String> steps)
      throws IOException {
    steps.accept("starting DynamoDB Local, " + data.map(Path::toString).orElse("in memory"));
    return parts.add(DynamoDbLocal.start(port, data)).endpoint();
  }

  private SecretsManagerStandIn startSecretsManager(int port, Optional<Path> data)
      throws IOException {
    Optional<Path> file = data.map(directory -> directory.resolve("secrets.json"));
    return parts.add(SecretsManagerStandIn.start(port, file, template.secrets()));
  }

  private void createTables(Optional<Elsewhere> elsewhere, Consumer<String> steps) {
    Tables tables = new Tables(dynamoDb);
    if (elsewhere.filter(Elsewhere::isTemporary).isPresent()) {
      parts.add(() -> tables.delete(template.tables()));
    }
    tables.create(template.tables(), steps);
  }

  private void createSecrets(Elsewhere elsewhere) {
    SecretsElsewhere secrets = new SecretsElsewhere(parts.add(settings.secretsManagerClient()));
    if (elsewhere.isTemporary()) {
      parts.add(() -> secrets.delete(template.secrets()));
    }
    secrets.create(template.secrets());
  }

  /**
   * Lets Secrets Manager call the functions that rotate secrets. Does nothing if it runs elsewhere.
   */
  public void enableRotation(FunctionInvoker invoker) {
    standIn.ifPresent(it -> it.enableRotation(template.rotations(), invoker));
  }

  /** The stream of a mapping's table, for calls of its function. */
  public EventSource eventSource(EventSourceMapping mapping, FunctionInvoker invoker) {
    return new EventSource(mapping, stream(mapping.table()), invoker);
  }

  /** The stream of the table with this name. */
  public TableStream stream(String table) {
    return new TableStream(dynamoDb, streams, table);
  }

  public Template template() {
    return template;
  }

  /** The actual name of the table or the secret with this logical id in the template. */
  public String name(String logicalId) {
    return prefix + logicalId;
  }

  /** Where the AWS SDK finds the stores. */
  public SdkSettings settings() {
    return settings;
  }

  /** A client of DynamoDB. The stores close it. */
  public DynamoDbClient dynamoDb() {
    return dynamoDb;
  }

  @Override
  public void close() {
    parts.close();
  }
}
