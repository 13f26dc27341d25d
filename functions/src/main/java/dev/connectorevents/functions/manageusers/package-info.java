/** What operators do about users; invoked with IAM, never through the API. */
@NullMarked
package dev.connectorevents.functions.manageusers;

import org.jspecify.annotations.NullMarked;
