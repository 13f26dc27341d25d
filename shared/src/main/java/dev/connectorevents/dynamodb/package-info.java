/** What the stores in DynamoDB tables share. */
@NullMarked
package dev.connectorevents.dynamodb;

import org.jspecify.annotations.NullMarked;
