package dev.connectorevents.bench.peers;

import software.amazon.awssdk.http.crt.AwsCrtHttpClient;

/** With the SDK's HTTP client in native code. */
public final class PlainSdkCrt extends PlainSdk {

  public PlainSdkCrt() {
    super(AwsCrtHttpClient.create());
  }
}
