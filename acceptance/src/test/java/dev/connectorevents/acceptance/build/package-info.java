/** The tools and scripts of the build, and the pages. */
@NullMarked
package dev.connectorevents.acceptance.build;

import org.jspecify.annotations.NullMarked;
