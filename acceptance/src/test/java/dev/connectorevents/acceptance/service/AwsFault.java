package dev.connectorevents.acceptance.service;

import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.functions.wiring.Sleep;
import java.io.IOException;
import java.time.Duration;

/** A fault in a call to DynamoDB or Secrets Manager. {@link #NONE} forwards the call unchanged. */
public enum AwsFault {
  NONE("none", call -> call.answer(call.forward())),
  SLOW(
      "an answer after 0.3 s",
      call -> {
        Sleep.of(Duration.ofMillis(300));
        call.answer(call.forward());
      }),
  SILENCE("no answer at all", call -> Sleep.of(Duration.ofSeconds(4))), // longer than one attempt
  LATE(
      "the call is made after its time-out",
      call -> {
        Sleep.of(Duration.ofSeconds(3)); // longer than the timeout of one attempt
        call.forward();
      }),
  /** The server closes an exchange that has no answer. */
  LOST_REQUEST("the connection breaks before the call", call -> {}),
  LOST_ANSWER("the connection breaks after the call", Proxy.Call::forward),
  CUT_ANSWER("half an answer", call -> call.answerHalf(call.forward().body())),
  GARBLED_ANSWER(
      "an answer that is not JSON",
      call -> {
        call.forward();
        call.answer(HttpAnswer.json(200, "<html>"));
      }),
  THROTTLED("ThrottlingException", call -> refuse(call, 400, "ThrottlingException")),
  INTERNAL_ERROR("InternalServerError", call -> refuse(call, 500, "InternalServerError")),
  UNAVAILABLE("503 of a load balancer", call -> call.answer(HttpAnswer.json(503, "<html>"))),
  EXPIRED_CREDENTIALS("ExpiredTokenException", call -> refuse(call, 400, "ExpiredTokenException")),
  ACCESS_DENIED("AccessDeniedException", call -> refuse(call, 400, "AccessDeniedException"));

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // none of them has a state
  private final Proxy.Interceptor answer;

  AwsFault(String text, Proxy.Interceptor answer) {
    this.text = text;
    this.answer = answer;
  }

  /** Answers a call. If this method sends no answer, the connection closes. */
  public void answer(Proxy.Call call) throws IOException {
    answer.intercept(call);
  }

  private static void refuse(Proxy.Call call, int status, String type) throws IOException {
    call.answer(
        HttpAnswer.json(status, "{\"__type\":\"%s\",\"message\":\"planted\"}".formatted(type)));
  }

  @Override
  public String toString() {
    return text;
  }
}
