/** How long failed logins take: whether their time tells who is a user. */
@NullMarked
package dev.connectorevents.bench.logins;

import org.jspecify.annotations.NullMarked;
