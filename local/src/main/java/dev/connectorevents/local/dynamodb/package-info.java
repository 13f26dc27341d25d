/** DynamoDB on this machine, with the template's tables in it. */
@NullMarked
package dev.connectorevents.local.dynamodb;

import org.jspecify.annotations.NullMarked;
