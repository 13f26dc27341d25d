import module java.base;
import module java.net.http;
import module jdk.httpserver;

/// Receives Shopify's webhooks and forwards them to Connector Events. JDK 25, no libraries: `java Connector.java`.
///
/// Settings: `WEBHOOK_SECRET`, or two, a line each, while one is being replaced; `CONNECTOR_API_URL`, `PORT` (8080),
/// `REFUSED` (refused.jsonl), and either `CONNECTOR_API_TOKEN`, or `CONNECTOR_API_EMAIL` and `CONNECTOR_API_PASSWORD`.
/// docs/connectors.md explains the rules.
final class Connector {
  static final long PATIENCE = 4_500; // milliseconds for one delivery; Shopify waits for 5 seconds
  static final int MAX_EVENT = 6_275_000; // bytes; the rest of Lambda's 6,291,455 is for the request's headers
  static final int MAX_ANSWER = 10_000_000; // bytes; those of the service are smaller
  static final int MAX_WEBHOOK = 25_000_000; // bytes; GitHub sends no more, and we know of nobody who does
  static final int MAX_BODIES = 100_000_000; // bytes that webhooks take together; a stranger may send many, unsigned
  static final int PIECE = 65_536; // bytes. So many of each body are taken even if others have all the memory
  static final long LONGEST_WAIT = 900_000; // milliseconds for which the service may ask before the next login
  /// No further try can succeed, until somebody mends the event, the connector or the service.
  static final Set<String> REFUSED = Set.of("malformed_json", "unsupported_media_type", "payload_too_large",
      "validation_failed", "idempotency_key_reused");
  static final Pattern ACCESS_TOKEN = Pattern.compile("\"access_token\"\\s*:\\s*\"([!-~&&[^\"\\\\]]+)\"");
  static final Set<OpenOption> APPEND = Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  static final Pattern META = Pattern.compile( // with and without escapes
      "\"(_|\\\\u005[fF])(m|\\\\u006[dD])(e|\\\\u0065)(t|\\\\u0074)(a|\\\\u0061)\"\\s*:");
  static final Pattern SHOP_DOMAIN = Pattern.compile("\"shop_domain\"\\s*:\\s*\"([!-~&&[^\"\\\\]]+)\"");
  static final Pattern EXPIRES_IN = Pattern.compile("\"expires_in\"\\s*:\\s*(\\d{1,9})");

  final HttpClient client = HttpClient.newHttpClient(); // follows no redirects: another host would get the token
  final String url = setting("CONNECTOR_API_URL", "https?://(?!/)[\\w.:/%~\\[\\]-]+", "").replaceAll("/+$", "");
  final List<String> secrets = setting("WEBHOOK_SECRET", ".+", "").lines().filter(each -> !each.isEmpty()).toList();
  final Path refused = Path.of(setting("REFUSED", ".+", "refused.jsonl"));
  final AtomicInteger free = new AtomicInteger(MAX_BODIES); // what a client only announces takes nothing
  final int port = Integer.parseInt(setting("PORT", "\\d{1,5}", "8080"));
  final boolean isStatic = !System.getenv().getOrDefault("CONNECTOR_API_TOKEN", "").isEmpty();
  final String user = isStatic ? "" : json(Map.of(
      "email", setting("CONNECTOR_API_EMAIL", ".+", ""), "password", setting("CONNECTOR_API_PASSWORD", ".+", "")));

  /// One token for all threads. One thread logs in; the others wait for it.
  volatile String token = isStatic ? setting("CONNECTOR_API_TOKEN", "[!-~]+", "") : null;
  volatile Answer failure;
  long refreshAt = Long.MAX_VALUE;
  long loginAt = Long.MIN_VALUE;

  /// Status 0 means that no answer came. Times are in milliseconds.
  record Answer(int status, long retryAfter, String type, String text) {

    /// What the service says of an event: stored, or the code of its problem. Empty if this is no such answer.
    String outcome(String eventType) {
      if (status == 201) {
        return has("id", "[^\"]+") && has("event_type", Pattern.quote(eventType)) ? "stored" : "";
      }
      return code().equals("event_erased") || REFUSED.contains(code()) ? code() : "";
    }

    /// The code of the service's problem. Empty if this is none.
    String code() {
      return isProblem() ? member("code", "\\w+") : "";
    }

    boolean isProblem() {
      return type.matches("(?i)application/problem\\+json *(;.*)?") && isWhole(text);
    }

    /// The service's problem. Not the text of others, which may be anything.
    String said() {
      return status + " " + (isProblem() ? text : type);
    }

    /// Without the text of the problem: others may show the password that they got.
    String saidOfLogin() {
      return status + " " + (isProblem() ? code() : type);
    }

    private boolean has(String name, String form) {
      return !member(name, form).isEmpty();
    }

    /// A text that is a member of the answer, without escapes; empty if there is none, or if the answer is not whole.
    private String member(String name, String form) {
      Pattern member = Pattern.compile("\"" + name + "\"\\s*:\\s*\"(" + form + ")\"");
      return isWhole(text) ? Connector.member(text, member).map(found -> found.group(1)).orElse("") : "";
    }
  }

  void main() throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true"); // else each answer takes 40 ms longer
    System.setProperty("sun.net.httpserver.maxReqTime", "10"); // seconds
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/webhooks", exchange -> {
      try (exchange) {
        exchange.sendResponseHeaders(answerTo(exchange), -1);
      }
    });
    server.start();
    IO.println("listening on port " + server.getAddress().getPort());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(5))); // open requests end first
  }

  /// A setting, without a newline at its end. A message never has its value, which may be a secret.
  static String setting(String name, String form, String missing) {
    String value = System.getenv().getOrDefault(name, "").replaceAll("[\r\n]+$", "");
    if (value.isEmpty()) {
      value = missing;
    }
    if (!Pattern.compile(form, Pattern.DOTALL).matcher(value).matches()) {
      log(name + " is " + (value.isEmpty() ? "not set" : "malformed"));
      System.exit(1);
    }
    return value;
  }

  /// Logs a line. A stranger may send line ends and escape sequences.
  static void log(String text) {
    StringBuilder line = new StringBuilder();
    text.chars().forEach(c -> line.append(c >= ' ' && c <= '~' || c == '…' ? (char) c : "\\u%04x".formatted(c)));
    System.err.println(line);
  }

  Answer post(String path, byte[] body, long deadline, Map<String, String> headers) throws InterruptedException {
    try {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
          .POST(HttpRequest.BodyPublishers.ofByteArray(body))
          .header("Content-Type", "application/json");
      headers.forEach(request::header);
      CompletableFuture<HttpResponse<String>> sent =
          client.sendAsync(request.build(),
              HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofString(), MAX_ANSWER));
      HttpResponse<String> answer;
      try { // a request's own timeout ends with the answer's headers
        answer = sent.get(Math.max(100, deadline - now()), TimeUnit.MILLISECONDS);
      } finally {
        sent.cancel(true);
      }
      String after = answer.headers().firstValue("Retry-After").orElse("");
      long retryAfter = after.matches("\\d{1,9}") ? 1_000 * Long.parseLong(after) : 0;
      String type = answer.headers().firstValue("Content-Type").orElse("");
      String token = Objects.requireNonNullElse(headers.get("Authorization"), "").replace("Bearer ", "");
      String text = token.isEmpty() ? answer.body() : answer.body().replace(token, "…"); // some show what they got
      return new Answer(answer.statusCode(), retryAfter, type, text);
    } catch (ExecutionException e) { // not its text, which may have the token
      return new Answer(0, 0, "no answer: " + e.getCause().getClass().getSimpleName(), "");
    } catch (TimeoutException | IllegalArgumentException e) {
      return new Answer(0, 0, "no answer: " + e.getClass().getSimpleName(), "");
    }
  }

  /// The token. If that is still the refused one, `failure` says why.
  String token(String refused) throws InterruptedException {
    synchronized (this) {
      if (Objects.equals(token, refused) && now() >= loginAt) { // at first, both are null
        Answer answer = post("/api/auth/login", user.getBytes(), now() + PATIENCE, Map.of());
        if (!keep(answer)) { // 10 wrong passwords would block the address
          failure = new Answer(answer.status, answer.retryAfter, "login: " + answer.saidOfLogin(), ""); // no event
          long asked = answer.isProblem() ? Math.min(answer.retryAfter, LONGEST_WAIT) : 0; // a proxy may ask for a day
          loginAt = now() + (answer.code().equals("invalid_credentials") ? 300_000 : Math.max(1_000, asked));
        }
      }
      if (now() < refreshAt) {
        return token;
      }
      refreshAt = Long.MAX_VALUE; // if this fails, the token serves until it expires
    }
    keep(post("/api/auth/refresh", new byte[0], now() + PATIENCE, Map.of("Authorization", "Bearer " + token)));
    return token;
  }

  /// Keeps the token of an answer. Returns whether it has one.
  synchronized boolean keep(Answer answer) {
    Optional<MatchResult> found = member(answer.text, ACCESS_TOKEN);
    Optional<MatchResult> seconds = member(answer.text, EXPIRES_IN);
    if (answer.status != 200 || found.isEmpty() || seconds.isEmpty()) {
      return false;
    }
    token = found.get().group(1);
    refreshAt = now() + 800 * Long.parseLong(seconds.get().group(1));
    return true;
  }

  /// Stores an event, with retries. Returns the last answer.
  Answer forward(byte[] event, String key, String eventType) throws InterruptedException {
    long deadline = now() + PATIENCE;
    String refused = null;
    for (int attempt = 0; ; attempt++) {
      String token = token(refused);
      Answer answer = failure;
      if (!Objects.equals(token, refused)) {
        Map<String, String> headers = Map.of("Authorization", "Bearer " + token, "Idempotency-Key", key);
        answer = post("/api/webhook-events", event, deadline, headers);
        if (answer.status == 401 && refused == null && !isStatic) {
          refused = token; // expired or revoked: log in once more
          continue;
        }
      }
      long backOff = Math.min(2_000, 100 << Math.min(attempt, 5));
      long wait = answer.retryAfter + ThreadLocalRandom.current().nextLong(backOff);
      boolean isUnknown = answer.status > 0 && answer.status < 400 && answer != failure;
      boolean mayPass = answer.status == 0 || answer.status == 429 || answer.status >= 500 || isUnknown;
      if (!answer.outcome(eventType).isEmpty() || !mayPass || now() + wait > deadline) {
        return answer;
      }
      Thread.sleep(wait);
    }
  }

  int answerTo(HttpExchange exchange) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try {
      int refusal = read(exchange, body);
      return refusal == 0 ? receive(exchange, body.toByteArray()) : refusal;
    } catch (Exception e) { // not its text, which may have anything
      return fail(503, e.getClass().getSimpleName());
    } finally {
      free.addAndGet(taken(body.size()));
    }
  }

  static int taken(int size) {
    return Math.max(0, size - PIECE);
  }

  /// Reads the body. Returns 0, or the status of the answer if it is too large.
  int read(HttpExchange exchange, ByteArrayOutputStream body) throws IOException {
    String announced = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Content-Length"), "0");
    boolean isBusy = Long.parseLong(announced) > Math.max(PIECE, free.get());
    byte[] piece = new byte[PIECE];
    for (int size = 0; size >= 0 && !isBusy; size = exchange.getRequestBody().read(piece)) {
      int more = taken(body.size() + size) - taken(body.size());
      isBusy = free.addAndGet(-more) < 0 && more > 0;
      body.write(piece, 0, size);
      if (body.size() > MAX_WEBHOOK) {
        return fail(413, "more than " + MAX_WEBHOOK + " bytes");
      }
    }
    return isBusy ? fail(503, "other bodies take all memory") : 0;
  }

  static int fail(int status, String reason) {
    log(status + " for a webhook: " + reason);
    return status;
  }

  /// Whether one of these secrets has signed the body.
  static boolean isSigned(HttpExchange exchange, byte[] body, List<String> secrets) throws GeneralSecurityException {
    boolean isSigned = false;
    for (String secret : secrets) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(), "HmacSHA256"));
      byte[] signature = Base64.getEncoder().encode(mac.doFinal(body));
      isSigned |= MessageDigest.isEqual(signature, header(exchange, "Hmac-Sha256"));
    }
    return isSigned;
  }

  /// Why a request is not signed, as far as can be told. For the log: a stranger must not know.
  String why(HttpExchange exchange, byte[] body) throws GeneralSecurityException {
    if (header(exchange, "Hmac-Sha256").length == 0) {
      return "it has no X-Shopify-Hmac-Sha256";
    }
    boolean isSmall = body.length <= 10_000; // a flood of them must not take all time
    List<String> stripped = secrets.stream().map(each -> each.replaceAll("^[\\s\"']+|[\\s\"']+$", "")).toList();
    if (isSmall && !stripped.contains("") && isSigned(exchange, body, stripped)) {
      return "WEBHOOK_SECRET has quotes or spaces that do not belong to it";
    }
    String text = new String(body, StandardCharsets.UTF_8).strip();
    if (isSmall && isSigned(exchange, text.getBytes(StandardCharsets.UTF_8), secrets)) {
      return "its body was changed on the way: does a proxy parse it?";
    }
    return "the signature is wrong: it is of none of the secrets (%d), or of another body".formatted(secrets.size());
  }

  int receive(HttpExchange exchange, byte[] body)
      throws IOException, InterruptedException, GeneralSecurityException {
    if (!isSigned(exchange, body, secrets)) {
      return fail(401, why(exchange, body));
    }
    byte[] id = header(exchange, "Webhook-Id");
    String text = new String(body, StandardCharsets.UTF_8).replaceFirst("^\ufeff", ""); // no part of the JSON
    String shop = new String(header(exchange, "Shop-Domain"), StandardCharsets.UTF_8);
    if (shop.isEmpty()) { // github.com/Shopify/shopify-api-ruby/issues/1261
      shop = member(text, SHOP_DOMAIN).map(found -> found.group(1)).orElse("");
    }
    String topic = topic(header(exchange, "Topic"));
    String requestId = UUID.randomUUID().toString();
    String name = new String(id, StandardCharsets.UTF_8);
    String webhook = "webhook %s, request_id %s: ".formatted(name, requestId);
    Map<String, String> meta = new TreeMap<>(Map.of("source", "shopify", "topic", topic, "request_id", requestId,
        "received_at", Instant.now().toString()));
    if (!shop.isEmpty()) {
      meta.putAll(Map.of("shop", shop, "brand_id", shop));
    }
    String reason = reasonAgainst(body, text, topic, id);
    byte[] event = reason.isEmpty() ? event("shopify." + topic, text, meta) : new byte[0];
    long size = size(event);
    if (size > MAX_EVENT) {
      reason = size + " bytes as Lambda counts, more than " + MAX_EVENT;
    }
    if (!reason.isEmpty()) {
      String about = json(Map.of("reason", reason, "topic", topic, "key", name, "shop", shop));
      refuse("null", about, "body", quote(Base64.getEncoder().encodeToString(body)) + ",\"headers\":" + kept(exchange));
      log(webhook + "refused: " + reason);
      return 200;
    }
    String key = key(id);
    Answer answer = forward(event, key, "shopify." + topic);
    String outcome = answer.outcome("shopify." + topic);
    if (outcome.equals("stored")) {
      return 200;
    }
    log(webhook + answer.said());
    if (REFUSED.contains(outcome)) { // kept first, then answered 2xx: it would be refused each time
      String rest = new String(event, 1, event.length - 1, StandardCharsets.UTF_8);
      String said = json(Map.of("code", outcome, "problem", answer.text)); // the text may be no JSON
      refuse(quote(key), said, "event", quote("{\"idempotency_key\":" + quote(key) + "," + rest));
      return 200;
    }
    return outcome.isEmpty() ? 503 : 200; // event_erased: an operator has erased it, and it must not come back
  }

  /// Why a webhook cannot be forwarded; empty if it can. The service finds finer faults of the JSON.
  static String reasonAgainst(byte[] body, String text, String topic, byte[] id) {
    if (topic.isEmpty() || id.length == 0) {
      return "it has no topic or no id";
    }
    if (body.length > 1 && body[0] == 0x1f && body[1] == (byte) 0x8b) {
      return "its body is in gzip, not in plain JSON";
    }
    byte[] again = text.getBytes(StandardCharsets.UTF_8); // the bytes of a text that is UTF-8, after its mark
    int start = body.length - again.length;
    boolean isUtf8 = start >= 0 && Arrays.equals(again, 0, again.length, body, start, body.length);
    return isUtf8 && isWhole(text) ? "" : "it is no JSON object";
  }

  /// Its bytes in Lambda's event, which has the request's body as a JSON string: a quote there takes two.
  static long size(byte[] event) {
    return new String(event, StandardCharsets.ISO_8859_1).chars()
        .mapToLong(c -> "\"\\\b\t\n\f\r".indexOf(c) >= 0 ? 2 : c < ' ' ? 6 : 1)
        .sum();
  }

  /// Appends to the file what was refused. When it returns, the disk has it.
  synchronized void refuse(String key, String answer, String name, String value) throws IOException {
    String line = "\n{\"at\":%s,\"key\":%s,\"answer\":%s,\"%s\":%s}".formatted(quote(Instant.now().toString()), key,
        answer, name, value);
    try (FileChannel file = FileChannel.open(refused, APPEND, PRIVATE)) {
      ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(true);
    }
    try (FileChannel folder = FileChannel.open(refused.toAbsolutePath().getParent())) {
      folder.force(true); // it has the file's name, if the file is new
    }
  }

  /// The headers from which an event can be made later, as an array of names and values.
  static String kept(HttpExchange exchange) {
    return exchange.getRequestHeaders().entrySet().stream()
        .filter(header -> header.getKey().matches("(?i).*shopify.*|content-.*"))
        .map(header -> "[%s,%s]".formatted(quote(header.getKey()), quote(header.getValue().getFirst())))
        .collect(Collectors.joining(",", "[", "]"));
  }

  /// The bytes of a header. The server reads them as ISO 8859-1.
  static byte[] header(HttpExchange exchange, String name) {
    Headers headers = exchange.getRequestHeaders();
    String value = Objects.requireNonNullElse(headers.getFirst("X-Shopify-" + name), "");
    if (value.isEmpty()) { // newer ones have no X-: shopify.dev/docs/apps/build/events/delivery-structure
      value = Objects.requireNonNullElse(headers.getFirst("Shopify-" + name), "");
    }
    return value.getBytes(StandardCharsets.ISO_8859_1);
  }

  /// The bytes as text, and each byte that does not match as %XX.
  static String encoded(byte[] bytes, String form) {
    return new String(bytes, StandardCharsets.ISO_8859_1).chars()
        .mapToObj(c -> Character.toString(c).matches(form) ? Character.toString(c) : "%%%02X".formatted(c))
        .collect(Collectors.joining());
  }

  /// The topic as an event type has it: ASCII without * , " \, no empty segment, no space at a segment's end.
  static String topic(byte[] sent) {
    String segments = new String(sent, StandardCharsets.ISO_8859_1).replaceAll("/+", "/").replaceAll("^/|/$", "");
    String topic = segments.replaceAll("(?<![^/]) | (?![^/])", "%20");
    return encoded(topic.getBytes(StandardCharsets.ISO_8859_1), "[ -~&&[^*,\"\\\\]]");
  }

  /// An Idempotency-Key for a provider's id. Different ids get different keys.
  static String key(byte[] id) throws GeneralSecurityException {
    String text = new String(id, StandardCharsets.ISO_8859_1);
    String visible = "[!-~&&[^%]]";
    String key = text.matches(visible + "([ -~&&[^%]]*" + visible + ")?") ? text : encoded(id, "[\\w.~-]");
    return key.length() <= 255 ? key : HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(id));
  }

  /// The event, with `_meta` appended to the payload's text. Parsing and writing that again could change it.
  static byte[] event(String type, String payload, Map<String, String> meta) {
    boolean isArray = payload.stripLeading().startsWith("[");
    if (isArray || member(payload, META).isPresent()) { // ours needs an object, and that name
      payload = "{\"payload\":" + payload + "}";
      meta.put("wrapped", "payload");
    }
    int end = payload.lastIndexOf('}');
    String comma = payload.substring(0, end).strip().equals("{") ? "" : ",";
    return "{\"event_type\":%s,\"payload\":%s%s\"_meta\":%s%s}"
        .formatted(quote(type), payload.substring(0, end), comma, json(meta), payload.substring(end))
        .getBytes(StandardCharsets.UTF_8);
  }

  /// A member of an object itself, not of one inside it. The form begins with the member's name in quotes.
  static Optional<MatchResult> member(String json, Pattern form) {
    Matcher member = form.matcher(json);
    int depth = 0;
    for (int i = json.stripLeading().startsWith("{") ? 0 : json.length(); i < json.length(); i++) {
      switch (json.charAt(i)) {
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case '"' -> {
          if (depth == 1 && member.region(i, json.length()).lookingAt()) {
            return Optional.of(member.toMatchResult());
          }
          i = endOfText(json, i);
        }
        default -> {}
      }
    }
    return Optional.empty();
  }

  /// Whether its brackets make one object or array, and nothing is beside it. The service finds finer faults.
  static boolean isWhole(String text) {
    String json = text.strip();
    int depth = 0;
    for (int i = 0; i < json.length(); i++) {
      switch (json.charAt(i)) {
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case '"' -> i = endOfText(json, i);
        default -> {}
      }
      if (depth <= 0) {
        return i == json.length() - 1 && Set.of("{}", "[]").contains("" + json.charAt(0) + json.charAt(i));
      }
    }
    return false;
  }

  /// Where a text in quotes ends; behind the JSON if it does not.
  static int endOfText(String json, int start) {
    for (int i = start + 1; i < json.length() && json.charAt(i) >= ' '; i++) {
      switch (json.charAt(i)) {
        case '"' -> {
          return i;
        }
        case '\\' -> i++;
        default -> {}
      }
    }
    return json.length();
  }

  static String json(Map<String, String> members) {
    return members.entrySet().stream()
        .map(member -> quote(member.getKey()) + ":" + quote(member.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      boolean isPlain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
      quoted.append(isPlain ? Character.toString(c) : "\\u" + HexFormat.of().toHexDigits(c));
    }
    return quoted.append('"').toString();
  }

  static long now() {
    return System.nanoTime() / 1_000_000;
  }
}
