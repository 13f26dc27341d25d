/** What operators do about users; invoked with IAM, never through the API. */
@NullMarked
package dev.connectorevents.functions.operators.users;

import org.jspecify.annotations.NullMarked;
