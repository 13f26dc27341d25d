/** The feed in a DynamoDB table. */
@NullMarked
package dev.connectorevents.dynamodb.feed;

import org.jspecify.annotations.NullMarked;
