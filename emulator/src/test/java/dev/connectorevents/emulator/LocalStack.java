package dev.connectorevents.emulator;

import cloud.localstack.Localstack;
import cloud.localstack.docker.annotation.LocalstackDockerConfiguration;
import java.net.URI;

/** Runs LocalStack in its own container until this process ends. */
final class LocalStack {

  /** The last version that runs without an account. */
  private static final String TAG = "4.14.0";

  private LocalStack() {}

  /** Starts the container with the docker command, and waits until LocalStack is ready. */
  static URI start() {
    Localstack.INSTANCE.startup(LocalstackDockerConfiguration.builder().imageTag(TAG).build());
    Runtime.getRuntime().addShutdownHook(new Thread(Localstack.INSTANCE::stop));
    return URI.create("http://127.0.0.1:" + Localstack.INSTANCE.getEdgePort());
  }
}
