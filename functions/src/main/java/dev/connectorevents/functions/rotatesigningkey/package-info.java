/** The rotation of the signing key, called by Secrets Manager. */
@NullMarked
package dev.connectorevents.functions.rotatesigningkey;

import org.jspecify.annotations.NullMarked;
