package dev.connectorevents.acceptance.service;

import dev.connectorevents.dynamodb.events.ReadBack;
import dev.connectorevents.dynamodb.users.DynamoUsers;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.local.CheapHashes;
import dev.connectorevents.local.contract.Traffic;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/** The whole service, with one user, an API client and an operator. */
public final class RunningService implements AutoCloseable {

  public static final Path TEMPLATE = Path.of("../template.yaml");

  public static final String EMAIL = "connector@example.com";
  public static final String PASSWORD = "correct horse battery staple";

  private final Emulator emulator;
  private final ApiClient client;
  private final Operator operator;

  public static RunningService start() {
    return start(Setup.DEFAULT);
  }

  public static RunningService start(Setup setup) {
    return new RunningService(Endpoint.start(setup.options().observed(Traffic.RECORDED)));
  }

  private RunningService(Emulator emulator) {
    this.emulator = emulator;
    client = ApiClient.of(emulator.baseUrl());
    operator = new Operator(client, name("SigningKeySecret"));
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    PasswordHash hash = PasswordHash.of(PASSWORD, CheapHashes.COST);
    new DynamoUsers(emulator.dynamoDb(), name("UsersTable"))
        .create(
            new User(
                UUID.randomUUID(),
                new Email(EMAIL),
                null,
                UserState.ACTIVE,
                Role.CONNECTOR,
                null,
                now,
                now),
            hash);
  }

  public Emulator emulator() {
    return emulator;
  }

  public ApiClient client() {
    return client;
  }

  /** A client that connects from this address, which must be a loopback address. */
  public ApiClient clientAt(String address) {
    return ApiClient.at(address, emulator.baseUrl());
  }

  public Operator operator() {
    return operator;
  }

  /** The actual name of the table or secret that has this logical id in the template. */
  public String name(String logicalId) {
    return emulator.name(logicalId);
  }

  /** The payload of an event, read as {@code docs/reading-events.md} tells consumers to read it. */
  public byte[] payload(String id) {
    return ReadBack.read(emulator.dynamoDb(), name("EventsTable"), id);
  }

  /** The number of stored events. An event counts once, even if it needs several items. */
  public long countEvents() {
    return emulator
        .dynamoDb()
        .scanPaginator(scan ->
            scan.tableName(name("EventsTable"))
                .filterExpression("attribute_exists(event_type_key)")
                .projectionExpression("id"))
        .items()
        .stream()
        .count();
  }

  @Override
  public void close() {
    emulator.close();
    client.close();
  }
}
