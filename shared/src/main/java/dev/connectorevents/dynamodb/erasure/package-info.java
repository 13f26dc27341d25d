/** Erasures and their proofs, in a DynamoDB table. */
@NullMarked
package dev.connectorevents.dynamodb.erasure;

import org.jspecify.annotations.NullMarked;
