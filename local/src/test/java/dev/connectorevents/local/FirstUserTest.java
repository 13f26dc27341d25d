package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.dynamodb.users.DynamoUsers;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Fixtures;
import dev.connectorevents.local.contract.Traffic;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first user of {@code local/serve}: the first start creates it, the next start finds it. */
@SuppressWarnings("NullAway.Init")
class FirstUserTest {
  @TempDir private Path directory;

  @Test
  void the_services_own_template_runs_and_its_first_user_stores_an_event() throws IOException {
    EmulatorOptions options =
        Endpoint.options(CheapHashes.allowedIn(ServedLocally.TEMPLATE), CheapHashes.PARAMETERS)
            .observed(Traffic.RECORDED);
    try (Emulator service = Emulator.start(options)) {
      FirstUser.Credentials user = firstUser(service).ensure(Map.of());
      assertThat(user.email().value()).isEqualTo("connector@example.com");
      HttpResponse<String> login =
          Fixtures.send(
              Fixtures.post(
                      service.baseUrl(),
                      "/api/auth/login",
                      "{\"email\":\"%s\",\"password\":\"%s\"}"
                          .formatted(user.email(), user.password().orElseThrow()))
                  .header("Content-Type", "application/json"));
      assertThat(login.statusCode()).isEqualTo(200);
      String token = login.body().replaceFirst(".*\"access_token\" *: *\"([^\"]*)\".*", "$1");
      HttpResponse<String> created =
          Fixtures.send(
              Fixtures.post(
                      service.baseUrl(),
                      "/api/webhook-events",
                      "{\"event_type\":\"shopify.orders/create\",\"payload\":{\"id\":1}}")
                  .header("Authorization", "Bearer " + token)
                  .header("Content-Type", "application/json"));
      assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
      assertThat(
              service
                  .dynamoDb()
                  .scan(scan ->
                      scan.tableName(service.name("EventsTable"))
                          .filterExpression("attribute_exists(event_type)"))
                  .count())
          .isEqualTo(1);
    }
  }

  @Test
  void the_first_user_is_found_again_with_its_password() throws IOException {
    EmulatorOptions options =
        Endpoint.options(ServedLocally.TEMPLATE, Map.of()).observed(Traffic.RECORDED);
    try (Emulator service = Emulator.start(options)) {
      FirstUser.Credentials made =
          firstUser(service).ensure(Map.of("CONNECTOR_API_EMAIL", "A@b.example"));
      assertThat(made.email().value()).isEqualTo("a@b.example");
      assertThat(made.password().orElseThrow()).hasSize(32);
      assertThat(firstUser(service).ensure(Map.of())).isEqualTo(made);

      FirstUser.Credentials other =
          firstUser(service).ensure(Map.of("CONNECTOR_API_PASSWORD", "another"));
      assertThat(other.password()).isEqualTo(made.password());
      assertThat(other.remark().orElseThrow()).contains("not this user's stored password");
    }
  }

  private FirstUser firstUser(Emulator service) {
    return new FirstUser(
        new DynamoUsers(
            service.dynamoDb(), service.name("UsersTable"), service.name("PasswordHashesTable")),
        10,
        new CredentialsFile(Optional.of(directory.resolve("first-user.json"))));
  }
}
