package dev.connectorevents.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceTest {

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
          """)
  void an_answer_with_2xx_or_without_a_code_is_a_success(String answer, boolean isSuccess)
      throws IOException {
    assertThat(Instance.isSuccess(answer)).isEqualTo(isSuccess);
  }

  @Test
  void an_answer_that_is_no_json_ends_the_measurement() {
    assertThatExceptionOfType(JsonProcessingException.class)
        .isThrownBy(() -> Instance.isSuccess("not JSON"));
  }

  @Test
  void the_peak_of_memory_is_vm_hwm_and_not_vm_rss() {
    String status =
        """
        Name:\tjava
        VmPeak:\t 8729020 kB
        VmHWM:\t  131072 kB
        VmRSS:\t  120000 kB
        """;

    assertThat(Instance.peakMib(status)).isEqualTo(128);
  }
}
