/** Tests of the build's tools and scripts, and of the project's pages. */
@NullMarked
package dev.connectorevents.acceptance.build;

import org.jspecify.annotations.NullMarked;
