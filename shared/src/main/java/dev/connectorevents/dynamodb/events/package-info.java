/** Events and tombstones in a DynamoDB table, and its index by brand. */
@NullMarked
package dev.connectorevents.dynamodb.events;

import org.jspecify.annotations.NullMarked;
