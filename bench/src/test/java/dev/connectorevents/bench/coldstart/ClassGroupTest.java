package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassGroupTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          java.lang.String,                                              java.*
          java.lang.invoke.LambdaForm$MH/0x00007f1c84000400,             made at run time
          dev.connectorevents.access.Guard$$Lambda/0x00007f1c84000400,     made at run time
          dev.connectorevents.access.Guard,                                ours
          software.amazon.awssdk.http.crt.AwsCrtHttpClient,              SDK: CRT client
          software.amazon.awssdk.http.auth.spi.signer.HttpSigner,        SDK: auth and identity
          software.amazon.awssdk.http.SdkHttpClient,                     SDK: rest
          software.amazon.awssdk.services.dynamodb.DynamoDbClient,       SDK: DynamoDB
          sun.security.provider.Sun,                                     'jdk.*, sun.*'
          at.favre.lib.crypto.bcrypt.BCrypt,                             others
          """)
  void a_class_belongs_to_the_first_group_that_its_name_fits(String name, String title) {
    assertThat(ClassGroup.of(name).title()).isEqualTo(title);
  }

  @Test
  void groups_are_counted_that_have_a_class() {
    Map<String, Long> counts =
        ClassGroup.count(List.of("java.lang.String", "java.util.List", "jdk.internal.misc.VM"))
            .entrySet()
            .stream()
            .collect(Collectors.toMap(each -> each.getKey().title(), Map.Entry::getValue));

    assertThat(counts).isEqualTo(Map.of("java.*", 2L, "jdk.*, sun.*", 1L));
  }

  @Test
  void the_log_of_a_jvm_names_a_class_before_its_source() {
    assertThat(
            Measurements.names(
                """
                java.lang.Object source: shared objects file
                A$$Lambda/0x00007f1c84000400 source: A
                a line that is about something else
                B source: file:/var/task/lib/functions.jar
                """))
        .containsExactly("java.lang.Object", "A$$Lambda/0x00007f1c84000400", "B");
  }
}
