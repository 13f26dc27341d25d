/** The domain's stores in DynamoDB tables. */
@NullMarked
package dev.connectorevents.dynamodb;

import org.jspecify.annotations.NullMarked;
