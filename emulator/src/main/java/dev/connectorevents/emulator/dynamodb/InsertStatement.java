package dev.connectorevents.emulator.dynamodb;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;

/**
 * An {@code INSERT} of PartiQL whose values are all parameters.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.insert.html">
 *     PartiQL insert statements for DynamoDB</a>
 */
public record InsertStatement(String table, Map<String, AttributeValue> item) {

  private static final Pattern INSERT =
      Pattern.compile("INSERT INTO \"([\\w.-]+)\" VALUE \\{('\\w+': \\?(?:, '\\w+': \\?)*)}");

  private static final Pattern NAME = Pattern.compile("\\w+");

  public InsertStatement {
    item = Map.copyOf(item);
  }

  /** Empty if the statement has another form. */
  public static Optional<InsertStatement> of(BatchStatementRequest statement) {
    Matcher insert = INSERT.matcher(statement.statement());
    if (!insert.matches()) {
      return Optional.empty();
    }
    List<String> names = NAME.matcher(insert.group(2)).results().map(MatchResult::group).toList();
    Map<String, AttributeValue> item = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      item.put(names.get(i), statement.parameters().get(i));
    }
    return Optional.of(new InsertStatement(insert.group(1), item));
  }
}
