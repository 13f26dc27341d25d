/**
 * Runs the service with many clients, makes its calls to AWS fail, and searches the histories of
 * the clients' calls for lost and duplicated events and for other violations.
 */
@NullMarked
package dev.connectorevents.acceptance.search;

import org.jspecify.annotations.NullMarked;
