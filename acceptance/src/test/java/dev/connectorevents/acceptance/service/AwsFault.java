package dev.connectorevents.acceptance.service;

import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.functions.wiring.Sleep;
import java.io.IOException;
import java.time.Duration;

/** A fault in a call to DynamoDB or Secrets Manager. {@link #NONE} forwards the call unchanged. */
public enum AwsFault {
  NONE("none") {
    @Override
    public void answer(Proxy.Call call) throws IOException {
      call.answer(call.forward());
    }
  },
  SLOW("an answer after 0.3 s") {
    @Override
    public void answer(Proxy.Call call) throws IOException {
      Sleep.of(Duration.ofMillis(300));
      call.answer(call.forward());
    }
  },
  SILENCE("no answer at all") {
    @Override
    public void answer(Proxy.Call call) {
      Sleep.of(Duration.ofSeconds(4)); // longer than the timeout of one attempt
    }
  },
  LATE("the call is made after its time-out") {
    @Override
    public void answer(Proxy.Call call) throws IOException {
      Sleep.of(Duration.ofSeconds(3)); // longer than the timeout of one attempt
      call.forward();
    }
  },
  LOST_REQUEST("the connection breaks before the call") {
    @Override
    public void answer(Proxy.Call call) {
      // The server closes an exchange that has no answer.
    }
  },
  LOST_ANSWER("the connection breaks after the call") {
    @Override
    public void answer(Proxy.Call call) throws IOException {
      call.forward();
    }
  },
  CUT_ANSWER("half an answer") {
    @Override
    public void answer(Proxy.Call call) throws IOException {
      call.answerHalf(call.forward().body());
    }
  },
  GARBLED_ANSWER("an answer that is not JSON") {
    @Override
    public void answer(Proxy.Call call) throws IOException {
      call.forward();
      call.answer(HttpAnswer.json(200, "<html>"));
    }
  },
  THROTTLED("ThrottlingException") {
    @Override
    public void answer(Proxy.Call call) throws IOException {
      refuse(call, 400, "ThrottlingException");
    }
  },
  INTERNAL_ERROR("InternalServerError") {
    @Override
    public void answer(Proxy.Call call) throws IOException {
      refuse(call, 500, "InternalServerError");
    }
  },
  UNAVAILABLE("503 of a load balancer") {
    @Override
    public void answer(Proxy.Call call) throws IOException {
      call.answer(HttpAnswer.json(503, "<html>"));
    }
  },
  EXPIRED_CREDENTIALS("ExpiredTokenException") {
    @Override
    public void answer(Proxy.Call call) throws IOException {
      refuse(call, 400, "ExpiredTokenException");
    }
  },
  ACCESS_DENIED("AccessDeniedException") {
    @Override
    public void answer(Proxy.Call call) throws IOException {
      refuse(call, 400, "AccessDeniedException");
    }
  };

  private final String text;

  AwsFault(String text) {
    this.text = text;
  }

  /** Answers a call. If this method sends no answer, the connection closes. */
  public abstract void answer(Proxy.Call call) throws IOException;

  private static void refuse(Proxy.Call call, int status, String type) throws IOException {
    call.answer(
        HttpAnswer.json(status, "{\"__type\":\"%s\",\"message\":\"planted\"}".formatted(type)));
  }

  @Override
  public String toString() {
    return text;
  }
}
