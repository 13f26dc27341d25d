/** What a million events cost: measured and assumed amounts, multiplied by AWS's prices. */
@NullMarked
package dev.connectorevents.bench.bill;

import org.jspecify.annotations.NullMarked;
