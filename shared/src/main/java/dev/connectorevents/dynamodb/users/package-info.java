/** Users and their failed logins, in DynamoDB tables. */
@NullMarked
package dev.connectorevents.dynamodb.users;

import org.jspecify.annotations.NullMarked;
