/** Load on the whole service, as connectors and consumers make it. */
@NullMarked
package dev.connectorevents.load;

import org.jspecify.annotations.NullMarked;
