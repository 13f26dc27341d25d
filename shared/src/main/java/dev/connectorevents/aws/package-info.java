/** The domain's interfaces on DynamoDB and Secrets Manager; the only package that knows the SDK. */
@NullMarked
package dev.connectorevents.aws;

import org.jspecify.annotations.NullMarked;
