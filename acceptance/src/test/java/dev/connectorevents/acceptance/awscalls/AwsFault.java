package dev.connectorevents.acceptance.awscalls;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.functions.wiring.Sleep;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A fault in a call to DynamoDB or Secrets Manager. {@link #NONE} forwards the call unchanged. */
public enum AwsFault {
  NONE("none") {
    @Override
    void answer(HttpExchange exchange, Forward forward) throws IOException {
      Forwarder.answer(exchange, forward.call());
    }
  },
  SLOW("an answer after 0.3 s") {
    @Override
    void answer(HttpExchange exchange, Forward forward) throws IOException {
      Sleep.of(Duration.ofMillis(300));
      Forwarder.answer(exchange, forward.call());
    }
  },
  SILENCE("no answer at all") {
    @Override
    void answer(HttpExchange exchange, Forward forward) {
      Sleep.of(Duration.ofSeconds(4)); // longer than the timeout of one attempt
    }
  },
  LATE("the call is made after its time-out") {
    @Override
    void answer(HttpExchange exchange, Forward forward) throws IOException {
      Sleep.of(Duration.ofSeconds(3)); // longer than the timeout of one attempt
      forward.call();
    }
  },
  LOST_REQUEST("the connection breaks before the call") {
    @Override
    void answer(HttpExchange exchange, Forward forward) {
      // The server closes an exchange that has no answer.
    }
  },
  LOST_ANSWER("the connection breaks after the call") {
    @Override
    void answer(HttpExchange exchange, Forward forward) throws IOException {
      forward.call();
    }
  },
  CUT_ANSWER("half an answer") {
    @Override
    void answer(HttpExchange exchange, Forward forward) throws IOException {
      byte[] answer = forward.call().body();
      exchange.sendResponseHeaders(200, answer.length + 1L);
      exchange.getResponseBody().write(answer, 0, answer.length / 2);
      exchange.getResponseBody().flush();
    }
  },
  GARBLED_ANSWER("an answer that is not JSON") {
    @Override
    void answer(HttpExchange exchange, Forward forward) throws IOException {
      forward.call();
      HttpAnswer.json(200, "<html>").send(exchange);
    }
  },
  THROTTLED("ThrottlingException") {
    @Override
    void answer(HttpExchange exchange, Forward forward) throws IOException {
      refuse(exchange, 400, "ThrottlingException");
    }
  },
  INTERNAL_ERROR("InternalServerError") {
    @Override
    void answer(HttpExchange exchange, Forward forward) throws IOException {
      refuse(exchange, 500, "InternalServerError");
    }
  },
  UNAVAILABLE("503 of a load balancer") {
    @Override
    void answer(HttpExchange exchange, Forward forward) throws IOException {
      HttpAnswer.json(503, "<html>").send(exchange);
    }
  },
  EXPIRED_CREDENTIALS("ExpiredTokenException") {
    @Override
    void answer(HttpExchange exchange, Forward forward) throws IOException {
      refuse(exchange, 400, "ExpiredTokenException");
    }
  },
  ACCESS_DENIED("AccessDeniedException") {
    @Override
    void answer(HttpExchange exchange, Forward forward) throws IOException {
      refuse(exchange, 400, "AccessDeniedException");
    }
  };

  private final String text;

  AwsFault(String text) {
    this.text = text;
  }

  /** The call to the real service. A fault makes it, delays it or leaves it out. */
  interface Forward {
    HttpResponse<byte[]> call() throws IOException;
  }

  /**
   * Answers a call after its request was read. If this method sends no answer, the server closes
   * the connection.
   */
  abstract void answer(HttpExchange exchange, Forward forward) throws IOException;

  private static void refuse(HttpExchange exchange, int status, String type) throws IOException {
    HttpAnswer.json(status, "{\"__type\":\"%s\",\"message\":\"planted\"}".formatted(type))
        .send(exchange);
  }

  @Override
  public String toString() {
    return text;
  }
}
