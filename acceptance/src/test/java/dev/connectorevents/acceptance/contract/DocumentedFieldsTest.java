package dev.connectorevents.acceptance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.local.contract.Contract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each field of a {@link Delivery} stands wherever the documents describe an event. */
class DocumentedFieldsTest {

  /** The names in the first cell of a table's row. */
  private static final Pattern FIRST_CELL =
      Pattern.compile("^\\| (`\\w+`(?:, `\\w+`)*) \\|", Pattern.MULTILINE);

  @ParameterizedTest
  @ValueSource(strings = {"EventToStore", "EventMembers"})
  void a_schema_has_every_field(String schema) {
    assertThat(members(schema)).containsAll(Delivery.NAMES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"EventOfBatch", "Entry"})
  void a_schema_has_every_field_but_the_longest(String schema) {
    List<String> fields = new ArrayList<>(Delivery.NAMES);
    fields.remove(Delivery.RESPONSE);

    assertThat(members(schema)).containsAll(fields).doesNotContain(Delivery.RESPONSE);
  }

  private static List<String> members(String schema) {
    JsonNode properties = Contract.published().documented().schema(schema).path("properties");
    return properties.propertyStream().map(Map.Entry::getKey).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"api.md", "reading-events.md"})
  void a_table_has_a_row_of_every_field(String page) throws IOException {
    assertThat(firstCells(Files.readString(Path.of("../docs", page)))).containsAll(Delivery.NAMES);
  }

  /** Generated types have no other members of it: a consumer could not name them. */
  @Test
  void the_schema_of_meta_has_the_keys_of_the_reference() throws IOException {
    String page = Files.readString(Path.of("../docs/api.md"));
    String table = page.substring(page.indexOf("| key | meaning |"));

    assertThat(firstCells(table.substring(0, table.indexOf("\n\n"))))
        .containsExactlyInAnyOrderElementsOf(members("MetaMembers"));
  }

  private static Stream<String> firstCells(String page) {
    return FIRST_CELL
        .matcher(page)
        .results()
        .flatMap(row -> Stream.of(row.group(1).replace("`", "").split(", ")));
  }
}
