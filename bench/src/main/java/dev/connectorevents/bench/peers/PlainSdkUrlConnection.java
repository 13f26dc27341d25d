package dev.connectorevents.bench.peers;

import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;

/** With the SDK's smallest HTTP client, which is the JDK's. */
public final class PlainSdkUrlConnection extends PlainSdk {

  public PlainSdkUrlConnection() {
    super(UrlConnectionHttpClient.create());
  }
}
