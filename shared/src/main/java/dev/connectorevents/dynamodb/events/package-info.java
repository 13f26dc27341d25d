/** Events and tombstones in a DynamoDB table, and its indexes. */
@NullMarked
package dev.connectorevents.dynamodb.events;

import org.jspecify.annotations.NullMarked;
