/**
 * The service's template, read as CloudFormation and SAM read it: the one source of what runs here.
 * Whatever the service's own template does not have is refused by name.
 */
@NullMarked
package dev.connectorevents.emulator.template;

import org.jspecify.annotations.NullMarked;
