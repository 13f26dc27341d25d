package dev.connectorevents.dynamodb;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A client of DynamoDB that answers only the calls that a test needs. */
public interface FakeDynamoDb extends DynamoDbClient {

  @Override
  default String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  default void close() {
    // There is nothing to close.
  }
}
