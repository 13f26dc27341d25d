package dev.connectorevents.local.contract;

import com.atlassian.oai.validator.OpenApiInteractionValidator;
import com.atlassian.oai.validator.model.Request;
import com.atlassian.oai.validator.model.SimpleRequest;
import com.atlassian.oai.validator.model.SimpleResponse;
import com.atlassian.oai.validator.report.LevelResolver;
import com.atlassian.oai.validator.report.ValidationReport;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares exchanges with an OpenAPI document: which requests the service accepts, and what it
 * answers.
 */
public final class Contract {

  private static final Pattern MISSING = Pattern.compile("required property '([^']+)' not found");
  private static final Set<String> SAYS_WHEN_TO_RETRY =
      Set.of("temporarily_unavailable", "too_many_attempts");

  /** Codes of refusals that follow the validation: the body of such a request is valid. */
  private static final Set<String> CODES_AFTER_VALIDATION =
      Set.of(
          "invalid_credentials",
          "too_many_attempts",
          "idempotency_key_reused",
          "event_erased",
          "payload_too_large");

  private static final int MAX_FAULTS = 100;
  private static final String BODY = "validation.request.body.schema.";

  /** Otherwise the validator refuses members that a schema neither names nor excludes. */
  private static final LevelResolver AS_JSON_SCHEMA =
      LevelResolver.create()
          .withLevel("validation.schema.additionalProperties", ValidationReport.Level.IGNORE)
          .build();

  private final OpenApiInteractionValidator validator;
  private final Documented documented;

  public Contract(String yaml) {
    this.validator =
        OpenApiInteractionValidator.createForInlineApiSpecification(yaml)
            .withLevelResolver(AS_JSON_SCHEMA)
            .build();
    this.documented = new Documented(yaml);
  }

  /** The contract that this repository publishes. */
  public static Contract published() {
    return new Contract(document());
  }

  public static String document() {
    try {
      return Files.readString(Path.of("../docs/openapi.yaml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Documented documented() {
    return documented;
  }

  /** The contradictions between an exchange and the document; empty if there are none. */
  public List<String> violations(Exchanged exchanged) {
    if (!documented.hasOperation(exchanged)) {
      return exchanged.status() == 404 && exchanged.isOfApiGateway()
          ? List.of()
          : List.of("the operation is not documented");
    }
    List<String> violations = new ArrayList<>();
    documented.missing(exchanged).forEach(line -> violations.add("not documented: " + line));
    judgeAnswer(exchanged, violations);
    judgeRequest(exchanged, violations);
    return violations;
  }

  private void judgeAnswer(Exchanged exchanged, List<String> violations) {
    SimpleResponse.Builder answer = SimpleResponse.Builder.status(exchanged.status());
    exchanged.headers().forEach(answer::withHeader);
    validator
        .validateResponse(
            exchanged.path(),
            Request.Method.valueOf(exchanged.method()),
            answer.withBody(exchanged.answer()).build())
        .getMessages()
        .forEach(message -> violations.add(text(message)));
    if (exchanged.status() >= 400 || !exchanged.path().endsWith("/payload")) {
      violations.addAll(BeyondSchemas.brokenBy(exchanged.status(), exchanged.answerBody()));
    }
    if (!exchanged.isOfApiGateway() && !exchanged.headers().containsKey("cache-control")) {
      violations.add("an answer of the service has no Cache-Control");
    }
    if (SAYS_WHEN_TO_RETRY.contains(exchanged.code())
        && !exchanged.headers().containsKey("retry-after")) {
      violations.add(exchanged.code() + " has no Retry-After");
    }
  }

  /** Adds violations if the service and the document disagree about the faults of a request. */
  private void judgeRequest(Exchanged exchanged, List<String> violations) {
    List<ValidationReport.Message> faults = requestFaults(exchanged);
    if (exchanged.answerBody().has("results")) {
      judgeResults(exchanged, faults, violations);
    } else if (exchanged.status() < 300 || CODES_AFTER_VALIDATION.contains(exchanged.code())) {
      faults.forEach(fault -> violations.add("accepted, although " + text(fault)));
      if (!slips(exchanged).isEmpty() || isBrokenList(exchanged)) {
        violations.add("accepted, although it breaks a rule beyond the schemas");
      }
      if (documented.needsToken(exchanged)
          && !exchanged.requestHeaders().containsKey("authorization")) {
        violations.add("accepted, although the document asks for a token");
      }
    } else {
      switch (exchanged.code()) {
        case "validation_failed" -> judgeRefusal(exchanged, faults, violations);
        case "missing_token" -> {
          if (!documented.needsToken(exchanged)) {
            violations.add("refused, although the document asks for no token");
          }
        }
        case "unsupported_media_type" -> {
          if (!exchanged.requestHeaders().containsKey("content-encoding")
              && !exchanged.requestHeaders().getOrDefault("content-type", "").contains("charset")) {
            require("contentType", faults, violations);
          }
        }
        default -> {}
      }
    }
  }

  private boolean isBrokenList(Exchanged exchanged) {
    return documented.takesAQuery(exchanged)
        && (BeyondSchemas.isBroken(exchanged.query()) || hasUnknownParameter(exchanged));
  }

  private boolean hasUnknownParameter(Exchanged exchanged) {
    return exchanged.query().keySet().stream()
        .anyMatch(name -> !documented.hasParameter(exchanged, name));
  }

  /**
   * The JSON pointers to members that the service must refuse although the schema accepts them. See
   * {@link BeyondSchemas#slips}.
   */
  private static Set<String> slips(Exchanged exchanged) {
    return switch (exchanged.method() + " " + exchanged.path()) {
      case "POST /api/webhook-events" ->
          BeyondSchemas.slips(
              exchanged.requestBody(), exchanged.requestHeaders().get("idempotency-key"));
      case "POST /api/webhook-events/batch" -> BeyondSchemas.slipsOfBatch(exchanged.requestBody());
      default -> Set.of();
    };
  }

  private static void require(
      String kind, List<ValidationReport.Message> faults, List<String> violations) {
    if (faults.stream().noneMatch(fault -> fault.getKey().contains(kind))) {
      violations.add("refused, although the document finds no fault: " + kind);
    }
  }

  private void judgeRefusal(
      Exchanged exchanged, List<ValidationReport.Message> faults, List<String> violations) {
    JsonNode errors = exchanged.answerBody().path("errors");
    if (errors.isEmpty()) {
      if (!BeyondSchemas.mayBeBroken(exchanged.query()) && !hasUnknownParameter(exchanged)) {
        require("parameter", faults, violations);
      }
      return;
    }
    Set<String> told = new TreeSet<>();
    errors.forEach(error -> told.add(error.path("pointer").asText()));
    compare(exchanged, told, faults, violations);
  }

  /**
   * Compares the faults in the results of a batch with the faults that the document finds. The
   * service accepts a batch even if it refuses some of its events.
   */
  private static void judgeResults(
      Exchanged exchanged, List<ValidationReport.Message> faults, List<String> violations) {
    Set<String> told = new TreeSet<>();
    int index = 0;
    for (JsonNode result : exchanged.answerBody().path("results")) {
      String event = "/events/" + index++;
      result
          .at("/problem/errors")
          .forEach(error -> told.add(event + error.path("pointer").asText()));
    }
    compare(exchanged, told, faults, violations);
  }

  /** Compares the pointers in an answer with the pointers to the faults that the document finds. */
  private static void compare(
      Exchanged exchanged,
      Set<String> told,
      List<ValidationReport.Message> faults,
      List<String> violations) {
    Set<String> found = new TreeSet<>(slips(exchanged));
    faults.stream()
        .filter(fault -> fault.getKey().startsWith(BODY))
        .forEach(fault -> found.add(pointer(fault)));
    JsonNode body = exchanged.requestBody();
    told.stream()
        .filter(pointer -> !found.contains(pointer))
        .filter(pointer -> !BeyondSchemas.breaks(inEvent(pointer), body.at(pointer)))
        .forEach(pointer ->
            violations.add("refused, although the document finds no fault at " + pointer));
    found.stream()
        .filter(pointer -> !told.contains(pointer) && told.size() < MAX_FAULTS)
        .forEach(pointer -> violations.add("the answer names no fault at " + pointer));
  }

  /** Shortens a pointer of a batch: {@code /events/0/payload} becomes {@code /payload}. */
  private static String inEvent(String pointer) {
    return pointer.replaceFirst("^/events/\\d+(?=/)", "");
  }

  private static String pointer(ValidationReport.Message fault) {
    String pointer =
        fault
            .getContext()
            .flatMap(context -> context.getPointers())
            .map(pointers -> pointers.getInstance())
            .orElse("");
    Matcher missing = MISSING.matcher(fault.getMessage());
    return missing.find() ? pointer + "/" + missing.group(1) : pointer;
  }

  private List<ValidationReport.Message> requestFaults(Exchanged exchanged) {
    SimpleRequest.Builder request = new SimpleRequest.Builder(exchanged.method(), exchanged.path());
    exchanged.requestHeaders().forEach(request::withHeader);
    exchanged.query().entrySet().stream()
        .filter(parameter -> documented.hasParameter(exchanged, parameter.getKey()))
        .forEach(parameter -> request.withQueryParam(parameter.getKey(), parameter.getValue()));
    String type = exchanged.requestHeaders().getOrDefault("content-type", "");
    if (type.isBlank() || type.contains("+json")) {
      request.withContentType("application/json"); // the service reads these types as JSON
    }
    if (!exchanged.request().isEmpty()) {
      request.withBody(trimmed(exchanged.requestBody()).toString());
    }
    return validator.validateRequest(request.build()).getMessages();
  }

  /** Strips the spaces around the {@code email} of a login, as the service does. */
  private static JsonNode trimmed(JsonNode body) {
    return body instanceof ObjectNode object && object.path("email").isTextual()
        ? object.put("email", object.get("email").textValue().strip())
        : body;
  }

  private static String text(ValidationReport.Message message) {
    return message.getKey() + ": " + message.getMessage() + " " + pointer(message);
  }
}
