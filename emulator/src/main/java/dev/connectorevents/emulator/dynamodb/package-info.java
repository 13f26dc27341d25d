/** DynamoDB on this machine, with the template's tables. */
@NullMarked
package dev.connectorevents.emulator.dynamodb;

import org.jspecify.annotations.NullMarked;
