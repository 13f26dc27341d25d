/** Support for the tests of other packages: the running service, its clients and its operator. */
@NullMarked
package dev.connectorevents.acceptance.service;

import org.jspecify.annotations.NullMarked;
