package dev.connectorevents.bench.bill;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;

/** One write: what was written, and what DynamoDB says that it consumed. */
record Write(List<Map<String, AttributeValue>> items, List<ConsumedCapacity> consumed) {

  double tableUnits() {
    return consumed.stream().mapToDouble(each -> units(each.table())).sum();
  }

  double indexUnits(String index) {
    return consumed.stream()
        .filter(each -> each.globalSecondaryIndexes().containsKey(index))
        .mapToDouble(each -> units(each.globalSecondaryIndexes().get(index)))
        .sum();
  }

  /** DynamoDB gives writes in {@code WriteCapacityUnits} or, for one kind only, without kind. */
  private static double units(Capacity capacity) {
    Double writes = capacity.writeCapacityUnits();
    return writes == null ? capacity.capacityUnits() : writes;
  }
}
