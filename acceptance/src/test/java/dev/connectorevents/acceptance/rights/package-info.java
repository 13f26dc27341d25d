/** The role of each function allows what the function needs, and nothing else. */
@NullMarked
package dev.connectorevents.acceptance.rights;

import org.jspecify.annotations.NullMarked;
