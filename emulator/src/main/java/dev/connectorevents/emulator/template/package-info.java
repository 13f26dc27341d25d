/**
 * The service's template, read as CloudFormation and SAM read it: the one source of what runs here.
 */
@NullMarked
package dev.connectorevents.emulator.template;

import org.jspecify.annotations.NullMarked;
