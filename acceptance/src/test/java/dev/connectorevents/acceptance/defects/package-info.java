/** Planted defects: changes of the product's source that the walks or the feeders must find. */
@NullMarked
package dev.connectorevents.acceptance.defects;

import org.jspecify.annotations.NullMarked;
