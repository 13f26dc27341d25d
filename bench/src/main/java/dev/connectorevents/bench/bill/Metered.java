package dev.connectorevents.bench.bill;

import java.util.Map;

/**
 * What an event was found to use.
 *
 * @param plain what it would use with its payload as plain text
 * @param indexUnits write units by index
 */
record Metered(Sample sample, Usage usage, Usage plain, Map<String, Double> indexUnits) {}
