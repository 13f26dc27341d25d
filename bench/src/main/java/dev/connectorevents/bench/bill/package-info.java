/** What a million events cost: units measured on DynamoDB Local, multiplied by AWS's prices. */
@NullMarked
package dev.connectorevents.bench.bill;

import org.jspecify.annotations.NullMarked;
