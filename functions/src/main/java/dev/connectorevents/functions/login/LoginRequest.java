package dev.connectorevents.functions.login;

import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Request;
import dev.connectorevents.json.Body;
import dev.connectorevents.json.BodyReader;
import dev.connectorevents.user.Email;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The body of a login request. */
record LoginRequest(Email email, String password) {

  /** Reads and checks a request's body. */
  static Body<LoginRequest> of(Request request) {
    return BodyReader.readStrings(request, "{\"email\": …, \"password\": …}", LoginRequest::of);
  }

  private static Body.Checked<LoginRequest> of(Map<String, String> body) {
    Optional<Email> email = Optional.ofNullable(body.get("email")).flatMap(Email::parse);
    Optional<String> password = Optional.ofNullable(body.get("password"));
    if (email.isPresent() && password.isPresent()) {
      return new Body.Read<>(new LoginRequest(email.get(), password.get()));
    }
    List<Fault> faults = new ArrayList<>();
    if (email.isEmpty()) {
      faults.add(
          new Fault(
              "/email",
              "required: an e-mail address, as in shop@example.com, of at most "
                  + Email.MAX_LENGTH
                  + " characters"));
    }
    if (password.isEmpty()) {
      faults.add(new Fault("/password", "required: a string"));
    }
    return new Body.Invalid<>(faults);
  }

  /** Hides the password: logs must not contain it. */
  @Override
  public String toString() {
    return "LoginRequest[email=" + email + "]";
  }
}
