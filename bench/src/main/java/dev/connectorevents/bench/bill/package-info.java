/** What a million events cost: measured on the real store, and multiplied by AWS's prices. */
@NullMarked
package dev.connectorevents.bench.bill;

import org.jspecify.annotations.NullMarked;
