package dev.connectorevents.acceptance.runbooks;

import static dev.connectorevents.acceptance.service.ApiClient.EVENTS;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.feed.BrandHash;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plays a leak of a consumer's token, and runs the commands of docs/operating.md. They list what
 * the token has read, and nothing else.
 *
 * <p>Slow: each command of a page is a shell that starts Python, curl or jq, as an operator's is.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the page's commands are for bash")
class LeakedReaderTest {

  private static final String LEAKED = "reader@example.com";

  private static final List<String> TYPES =
      List.of("shopify.orders/create", "github.push", "stripe.charge", "shopify.refunds/create");

  private static final String ZOE = "zoe@example.com";
  private static final int OF_ZOE = 6;
  private static final int OF_ZOE_AND_READ = 21; // by its id: a batch is stored in no order

  /** One is erased later, one expires, and one stays. */
  private static final List<Integer> READ_BY_ID = List.of(50, 39, 21);

  /** Two brands of one share of 64: only their 16 bits tell them apart. */
  private static final String BRAND = "acme";

  private static final String OTHER_BRAND =
      IntStream.iterate(0, i -> i + 1)
          .mapToObj(i -> "shop-" + i)
          .filter(it -> BrandHash.of(it).value() % 64 == BrandHash.of(BRAND).value() % 64)
          .findFirst()
          .orElseThrow();

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\S+T\\S+Z +(\\d*) +([0-9a-f-]{36})? +([a-z]+\\S*) .*(yes|no)$");

  private final ObjectMapper json = new ObjectMapper();

  @AutoClose
  private final World service =
      World.start(new Setup().parameters(Map.of("RetentionRules", "github.*=1")));

  @TempDir private Path folder;

  private final List<String> stored = new ArrayList<>();
  private final Map<String, Long> positions = new HashMap<>();
  private final Set<String> readByPosition = new TreeSet<>();
  private final Set<String> readInLists = new TreeSet<>();
  private final Set<String> readById = new TreeSet<>();

  @Test
  void what_the_token_has_read_in_an_hour_is_listed_exactly_after_a_restart() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    CommandOnPath.assumeWorks("jq", "--version");
    CommandOnPath.assumeWorks("curl", "--version");
    String others = service.operator().consumerToken();
    String leaked = leakedToken();
    storeEvents();
    for (JsonNode entry : read(others, "?order=asc&limit=1000").get("events")) {
      positions.put(entry.get("id").textValue(), entry.get("position").longValue());
    }
    assertThat(positions).containsOnlyKeys(stored);
    read(leaked, "?order=asc&limit=3");
    service.clock().pass(Duration.ofHours(1));
    Instant from = service.clock().now();
    readForAnHour(leaked, others);
    Instant to = service.clock().now();
    service.clock().pass(Duration.ofHours(1));
    read(leaked, "?order=asc&limit=1000");

    Set<String> gone = erasedAndExpired();
    service.operator().setScope(LEAKED);
    service.kill();
    Runbook runbook = Runbook.of(service, "After a leak of a consumer's token", folder);
    List<String> commands = runbook.operatorCommands("user");
    runbook.run(commands.get(0));
    runbook.run(commands.get(1));
    String setting =
        "%s; export CONSUMER_TOKEN FROM=%s TO=%s\n".formatted(commands.get(2), from, to);
    String listed = runbook.run(setting + commands.get(3));

    assertListed(listed, gone);
    String concerned = runbook.script("jq -r '[");
    assertThat(runbook.run(concerned.lines().findFirst().orElseThrow())).contains(" 1 " + ZOE);
    runbook.run(setting + runbook.operatorCommands("find").getFirst());
    assertThat(runbook.run(runbook.script("jq -r .id")))
        .isEqualTo(stored.get(OF_ZOE_AND_READ) + "\n");
    service.clock().pass(Duration.ofSeconds(6));
    String attack =
        "TOKEN=%s; URL=%s\n%s"
            .formatted(leaked, service.baseUrl(), runbook.script("curl").stripIndent());
    assertThat(runbook.run(attack)).contains("\"code\":\"revoked_token\"");
  }

  /** In each round three of each type: of two brands, and of none. */
  private void storeEvents() {
    for (int round = 0; round < 10; round++) {
      ObjectNode batch = json.createObjectNode();
      for (String type : TYPES) {
        for (String brand : List.of(BRAND, OTHER_BRAND, "")) {
          int index = stored.size() + batch.withArray("events").size();
          ObjectNode event = batch.withArray("events").addObject().put("event_type", type);
          ObjectNode payload = event.putObject("payload");
          payload.put("email", Set.of(OF_ZOE, OF_ZOE_AND_READ).contains(index) ? ZOE : "");
          ObjectNode meta = payload.putObject("_meta");
          if (!brand.isEmpty()) {
            meta.put("brand_id", brand);
          }
        }
      }
      service
          .client()
          .post(EVENTS + "/batch", batch.toString(), service.client().token())
          .body()
          .get("results")
          .forEach(result -> stored.add(result.at("/event/id").textValue()));
      service.clock().pass(Duration.ofMinutes(1));
    }
    service.number();
  }

  private String leakedToken() throws IOException {
    service
        .operator()
        .invoke(
            "ManageUsersFunction",
            "{\"action\":\"create\",\"email\":\"%s\",\"role\":\"consumer\"}".formatted(LEAKED));
    service.operator().setScope(LEAKED, "shopify.*", "github.*");
    return service.operator().staticToken(LEAKED);
  }

  private void readForAnHour(String leaked, String others) {
    String half = "?order=asc&share=1/2&event_type=shopify.*&include=payload&limit=7";
    take(follow(leaked, half, 2));
    take(follow(leaked, "?limit=5", 1));
    take(follow(leaked, "?order=asc&limit=4&brand_id=" + OTHER_BRAND, 1));
    follow(others, "?order=asc&limit=50", 2);
    take(follow(leaked, "?limit=8&brand_id=" + BRAND, 2));
    for (int index : READ_BY_ID) {
      String payload = index % 2 == 0 ? "" : "/payload";
      assertThat(read(leaked, "/" + stored.get(index) + payload)).isNotEmpty();
      readById.add(stored.get(index));
    }
    assertThat(service.client().get(EVENTS + "/" + stored.get(OF_ZOE), leaked).status())
        .as("outside the scope")
        .isEqualTo(404);
  }

  /** Reads pages, five minutes apart. */
  private List<JsonNode> follow(String token, String query, int pages) {
    List<JsonNode> read = new ArrayList<>();
    String cursor = "";
    for (int i = 0; i < pages; i++) {
      service.clock().pass(Duration.ofMinutes(5));
      JsonNode page = read(token, query + cursor);
      page.get("events").forEach(read::add);
      cursor = "&cursor=" + page.get("next").textValue();
    }
    return read;
  }

  private void take(List<JsonNode> entries) {
    assertThat(entries).isNotEmpty();
    for (JsonNode entry : entries) {
      String id = entry.get("id").textValue();
      (entry.has("position") ? readByPosition : readInLists).add(id);
    }
  }

  private JsonNode read(String token, String rest) {
    return service.client().get(EVENTS + rest, token).body();
  }

  /** Events that were read in each way, and others, are erased; a day later, more have expired. */
  private Set<String> erasedAndExpired() {
    String position = readByPosition.iterator().next();
    String list =
        readInLists.stream().filter(it -> !readByPosition.contains(it)).findFirst().orElseThrow();
    Set<String> gone = new TreeSet<>(Set.of(position, list, stored.get(50), stored.get(8)));
    service.operator().erase(gone.toArray(String[]::new));
    service.clock().pass(Duration.ofDays(2));
    IntStream.range(0, stored.size())
        .filter(index -> TYPES.get(index % (TYPES.size() * 3) / 3).startsWith("github."))
        .forEach(index -> gone.add(stored.get(index)));
    return gone;
  }

  private void assertListed(String listed, Set<String> gone) {
    Set<String> live = new TreeSet<>();
    Set<String> goneIds = new TreeSet<>();
    Map<Long, String> gonePositions = new HashMap<>();
    for (MatchResult row : ROW.matcher(listed).results().toList()) {
      if (!row.group(3).equals("gone")) {
        live.add(row.group(2));
      } else if (row.group(1).isEmpty()) {
        goneIds.add(row.group(2));
      } else {
        gonePositions.put(Long.valueOf(row.group(1)), row.group(2));
      }
    }
    Set<String> read = new TreeSet<>(readByPosition);
    read.addAll(readInLists);
    read.addAll(readById);

    assertThat(live).as(listed).isEqualTo(difference(read, gone));
    assertThat(gonePositions)
        .isNotEmpty()
        .isEqualTo(
            common(readByPosition, gone).stream()
                .collect(Collectors.toMap(positions::get, Function.identity())));
    assertThat(goneIds).hasSize(2).isEqualTo(common(readById, gone));
    assertThat(
            Pattern.compile("showed (\\d+) more that are gone")
                .matcher(listed)
                .results()
                .mapToInt(it -> Integer.parseInt(it.group(1)))
                .sum())
        .as(listed)
        .isEqualTo(common(readInLists, gone).size());
    assertThat(listed).doesNotContain(" fewer.");
  }

  private static Set<String> difference(Set<String> ids, Set<String> others) {
    return ids.stream().filter(it -> !others.contains(it)).collect(toCollection(TreeSet::new));
  }

  private static Set<String> common(Set<String> ids, Set<String> others) {
    return ids.stream().filter(others::contains).collect(toCollection(TreeSet::new));
  }
}
