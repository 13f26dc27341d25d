/** A load test of the whole service, with connectors and consumers. */
@NullMarked
package dev.connectorevents.load;

import org.jspecify.annotations.NullMarked;
