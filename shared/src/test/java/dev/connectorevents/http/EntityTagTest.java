package dev.connectorevents.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityTagTest {

  private static final EntityTag TAG = new EntityTag("\"abc\"");

  @Test
  @Promise("`ETag` identifies the answer.")
  void every_part_makes_another_tag() {
    assertThat(EntityTag.of("a", "b"))
        .isEqualTo(EntityTag.of("a", "b"))
        .isNotEqualTo(EntityTag.of("a", "c"))
        .isNotEqualTo(EntityTag.of("ab", ""));
    assertThat(EntityTag.of("a").value()).matches("\"[\\w-]{22}\"");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      delimiter = '|',
      textBlock =
          """
          "abc"          | true
          W/"abc"        | true
          "x", "abc"     | true
          *              | true
          "x"            | false
          abc            | false
          """)
  void a_client_names_the_tags_that_it_has(String header, boolean isKnown) {
    Request request = new Request("r", "", Map.of("if-none-match", header), "", false);

    assertThat(TAG.isKnownTo(request)).isEqualTo(isKnown);
  }

  @Test
  void a_client_without_the_header_knows_none() {
    assertThat(TAG.isKnownTo(new Request("r", "", Map.of(), "", false))).isFalse();
  }
}
