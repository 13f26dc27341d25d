package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswersTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"statusCode":201,"body":"{}"} | true
          {"statusCode":401,"body":"{}"} | false
          {"statusCode":503}             | false
          {"user":{"name":"Bench"}}      | true
          {"code":"user_not_found"}      | false
          ''                             | true
          not JSON                       | false
          """)
  void an_answer_counts_that_is_a_success(String answer, boolean isSuccess) {
    assertThat(Answers.isSuccess(answer)).isEqualTo(isSuccess);
  }
}
