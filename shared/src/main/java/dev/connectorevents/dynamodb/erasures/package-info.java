/** Erasures and their proofs, in a DynamoDB table. */
@NullMarked
package dev.connectorevents.dynamodb.erasures;

import org.jspecify.annotations.NullMarked;
