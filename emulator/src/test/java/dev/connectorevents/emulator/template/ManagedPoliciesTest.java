package dev.connectorevents.emulator.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rights that a function has from the policies that it names. */
class ManagedPoliciesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[!Ref Shared] | dynamodb:Query",
        "[!Ref Shared, { Version: 2012-10-17, Statement: [%s] }] | dynamodb:Query dynamodb:GetItem",
        "[!If [IsProd, !Ref OfProd, !Ref AWS::NoValue], !Ref Shared] | dynamodb:Query",
      })
  void a_function_has_the_rights_of_all_policies_that_it_names(String policies, String actions) {
    String statement = "{ Effect: Allow, Action: dynamodb:GetItem, Resource: !GetAtt Things.Arn }";

    assertThat(policies(policies.formatted(statement)).functions().getFirst().rights())
        .containsExactlyElementsOf(
            Stream.of(actions.split(" "))
                .map(action -> new Right(action, Arn.table("Things")))
                .toList());
  }

  @Test
  void a_managed_policy_whose_condition_does_not_hold_cannot_be_named() {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> policies("[!Ref OfProd]"))
        .withMessageContaining(
            "Resources.One.Properties.Policies[0]: the template has no managed policy"
                + " arn:aws:iam::000000000000:policy/OfProd, only"
                + " [arn:aws:iam::000000000000:policy/Shared]");
  }

  private Template policies(String policies) {
    String managed =
        """
          %s:
            Condition: %s
            Type: AWS::IAM::ManagedPolicy
            Properties:
              PolicyDocument:
                Version: 2012-10-17
                Statement:
                  - { Effect: Allow, Action: dynamodb:Query, Resource: !GetAtt Things.Arn }
        """;
    String handler = "Handler: a.One";
    String text = SmallTemplate.TEXT.formatted("x");
    return SmallTemplate.read(
        text.replace(handler, handler + "\n      Policies: " + policies)
            + managed.formatted("Shared", "IsNotProd")
            + managed.formatted("OfProd", "IsProd"),
        Map.of());
  }
}
