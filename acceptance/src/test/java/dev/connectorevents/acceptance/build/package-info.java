/** The tools and scripts of the build. */
@NullMarked
package dev.connectorevents.acceptance.build;

import org.jspecify.annotations.NullMarked;
