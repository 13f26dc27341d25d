package dev.connectorevents.acceptance.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of the search are the classes whose names end in {@code Rules}. */
class RulesTest {

  @Test
  void each_class_of_rules_has_its_test() throws IOException {
    try (Stream<Path> sources = Files.list(RuleCases.FOLDER)) {
      List<Path> rules =
          sources.filter(source -> source.toString().endsWith("Rules.java")).toList();

      assertThat(rules)
          .hasSize(5)
          .map(source -> Path.of(source.toString().replace(".java", "Test.java")))
          .allSatisfy(test -> assertThat(test).exists());
    }
  }
}
