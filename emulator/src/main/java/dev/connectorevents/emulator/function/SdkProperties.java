package dev.connectorevents.emulator.function;

import java.util.Map;
import java.util.function.Supplier;

/**
 * Gives the AWS SDK the environment variables of one function, as system properties: a process has
 * one environment, but here it runs many functions. The SDK prefers properties to the environment
 * and to configuration files, and reads them when it builds a client.
 *
 * @see <a href="https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html">AWS SDKs'
 *     settings</a>
 */
final class SdkProperties {

  private static final Map<String, String> BY_VARIABLE =
      Map.of(
          "AWS_REGION", "aws.region",
          "AWS_ACCESS_KEY_ID", "aws.accessKeyId",
          "AWS_SECRET_ACCESS_KEY", "aws.secretAccessKey",
          "AWS_ENDPOINT_URL_DYNAMODB", "aws.endpointUrlDynamoDb",
          "AWS_ENDPOINT_URL_SECRETS_MANAGER", "aws.endpointUrlSecretsManager",
          "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "aws.ignoreConfiguredEndpointUrls",
          "AWS_USE_FIPS_ENDPOINT", "aws.useFipsEndpoint",
          "AWS_USE_DUALSTACK_ENDPOINT", "aws.useDualstackEndpoint");

  private SdkProperties() {}

  /** Starts an instance of a function, one at a time. */
  static synchronized <T> T with(Map<String, String> environment, Supplier<T> start) {
    BY_VARIABLE.forEach((variable, property) -> {
      if (environment.containsKey(variable)) {
        System.setProperty(property, environment.get(variable));
      }
    });
    return start.get();
  }
}
