package dev.connectorevents.acceptance.runbooks;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Looks for a person's texts as the table of docs/privacy.md says. */
class FindPersonTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A row: the text, what has it (the payload, unless it says response), and whether it is found.
   */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| .* \\| `([^`]+)` \\| (`response`: )?`([^`]+)` \\| (yes|no) \\|$");

  @AutoClose private final World service = World.start();

  @Test
  @Promise("**What it finds, and what not.** Each row is a test")
  void the_page_says_what_a_search_finds_and_what_not() throws IOException {
    List<MatchResult> rows =
        ROW.matcher(Files.readString(Path.of("../docs/privacy.md"))).results().toList();
    String token = service.client().token();
    for (MatchResult row : rows) {
      String event =
          row.group(2) == null
              ? "{\"event_type\":\"a.b\",\"payload\":" + row.group(3) + "}" // with its escapes
              : JSON.createObjectNode()
                  .put("event_type", "a.b")
                  .put("response", row.group(3))
                  .set("payload", JSON.createObjectNode())
                  .toString();
      String id =
          service
              .client()
              .post("/api/webhook-events", event, "Authorization", "Bearer " + token)
              .body()
              .get("id")
              .textValue();
      ObjectNode search = JSON.createObjectNode();
      search.putArray("ids").add(requireNonNull(id));
      search.putArray("where").addObject().put("contains", row.group(1));

      JsonNode found = service.operator().invoke("FindEventsFunction", search.toString());

      assertThat(found.get("matched").intValue())
          .as(row.group())
          .isEqualTo(row.group(4).equals("yes") ? 1 : 0);
    }
    assertThat(rows).hasSizeGreaterThan(25);
  }
}
