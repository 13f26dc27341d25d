/** The files of the pages beside the API. */
@NullMarked
package dev.connectorevents.local.page;

import org.jspecify.annotations.NullMarked;
