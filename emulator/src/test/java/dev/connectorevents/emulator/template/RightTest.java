package dev.connectorevents.emulator.template;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RightTest {

  @ParameterizedTest
  @CsvSource({
    "dynamodb:GetItem, table/Users, true",
    "dynamodb:getitem, table/Users, true",
    "dynamodb:*, table/Users, true",
    "dynamodb:Get*, *, true",
    "*, table/User?, true",
    "dynamodb:PutItem, table/Users, false",
    "dynamodb:GetItem, table/users, false",
    "dynamodb:GetItem, table/Users/index/*, false",
    "dynamodb:Get, table/Users, false",
    "dynamodb:GetItem, table.Users, false",
  })
  void a_right_is_matched_as_iam_does(String action, String resource, boolean allowed) {
    assertThat(new Right(action, resource).allows(new Right("dynamodb:GetItem", "table/Users")))
        .isEqualTo(allowed);
  }
}
