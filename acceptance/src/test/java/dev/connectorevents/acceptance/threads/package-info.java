/**
 * Real races in one JVM: several clients use one instance of a function at the same time. They look
 * for what only threads show, such as a remembered user or token that is not safe for them. A race
 * between calls to AWS belongs to a walk of {@code oracle}, where it replays.
 */
@NullMarked
package dev.connectorevents.acceptance.threads;

import org.jspecify.annotations.NullMarked;
