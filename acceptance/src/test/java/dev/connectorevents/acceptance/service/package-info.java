/** The running service, its clients and its operator: support for the tests of all rooms. */
@NullMarked
package dev.connectorevents.acceptance.service;

import org.jspecify.annotations.NullMarked;
