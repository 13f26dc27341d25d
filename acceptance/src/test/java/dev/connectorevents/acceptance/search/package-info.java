/**
 * Searches the histories of many clients for lost and duplicated events and for other violations.
 */
@NullMarked
package dev.connectorevents.acceptance.search;

import org.jspecify.annotations.NullMarked;
