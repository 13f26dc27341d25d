/** What template.yaml and samconfig.toml deploy. */
@NullMarked
package dev.connectorevents.acceptance.template;

import org.jspecify.annotations.NullMarked;
