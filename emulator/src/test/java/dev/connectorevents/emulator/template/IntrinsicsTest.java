package dev.connectorevents.emulator.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values of CloudFormation's intrinsic functions in a template. */
class IntrinsicsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plain | plain",
        "12 | 12",
        "true | true",
        "2012-10-17 | 2012-10-17",
        "!Ref Days | 7",
        "!Ref Things | Things",
        "{ Ref: Stage } | test",
        "!Ref AWS::Region | us-east-1",
        "!Ref OneAliaslive | OneAliaslive",
        "!GetAtt OneRole.Arn | arn:aws:local:us-east-1:000000000000:OneRole/Arn",
        "!Ref Secret | arn:aws:secretsmanager:us-east-1:000000000000:secret:Secret",
        "!GetAtt Things.Arn | arn:aws:dynamodb:us-east-1:000000000000:table/Things",
        "!GetAtt [Things, Arn] | arn:aws:dynamodb:us-east-1:000000000000:table/Things",
        "!Sub '${Stage}-${Things.Arn}' | test-arn:aws:dynamodb:us-east-1:000000000000:table/Things",
        "!Sub ['${Stage}-${End}', { End: !Select [1, !Split [':', 'a:b']] }] | test-b",
        "!If [IsProd, yes, !Ref Days] | 7",
        "!If [Both, a, b] | b",
        "!FindInMap [Sizes, !Ref Stage, Small] | 3",
      })
  void an_intrinsic_becomes_its_value(String written, String value) {
    assertThat(
            SmallTemplate.read(SmallTemplate.TEXT.formatted(written), Map.of())
                .functions()
                .getFirst()
                .environment())
        .containsExactlyInAnyOrderEntriesOf(Map.of("TABLE", "Things", "VALUE", value));
  }

  @Test
  void no_value_keeps_the_value_of_globals() {
    assertThat(
            SmallTemplate.read(
                    SmallTemplate.TEXT.formatted("!If [IsProd, x, !Ref AWS::NoValue]"), Map.of())
                .functions()
                .getFirst()
                .environment())
        .containsEntry("VALUE", "shared");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "!Ref Thigns | Resources.One.Properties.Environment.Variables.VALUE: refers to Thigns",
        "!GetAtt Things.Arm | has no attribute Arm",
        "!GetAtt Things | 2 operands are expected",
        "!Sub '${Nothing}' | refers to Nothing",
        "!Select [2, [a, b]] | there is no value 2 in [a, b]",
        "!Frobnicate x | Fn::Frobnicate",
        "!If [IsPord, a, b] | IsPord",
        "!FindInMap [Sizes, !Ref Stage, Large] | no mapping has [Sizes, test, Large]",
        "!FindInMap [Sizes, 7, Small] | no mapping has [Sizes, 7, Small]",
        "[a, b] | one value is expected",
        "{ Fn::Sub: ~ } | a text is expected",
        "{ ~: x } | one value is expected",
      })
  void a_mistake_is_reported_with_its_place(String written, String message) {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> SmallTemplate.read(SmallTemplate.TEXT.formatted(written), Map.of()))
        .withMessageContaining(message);
  }
}
