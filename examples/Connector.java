import module java.base;
import module java.net.http;
import module jdk.httpserver;

/// Receives Shopify's webhooks, forwards each to Connector Events, and answers by the answer: `java Connector.java`.
///
/// It needs only JDK 25, and no disk. It keeps nothing: what is not stored gets no 2xx, for the provider has the only
/// copy. Settings: `WEBHOOK_SECRET`, and `WEBHOOK_SECRET_2` while one is being replaced; `CONNECTOR_API_URL`,
/// `CONNECTOR_API_EMAIL`, `CONNECTOR_API_PASSWORD`, and `PORT` (8080). docs/connectors.md explains the rules.
final class Connector {
  /// For another provider that signs the body, replace these, and `HmacSHA256`: providers.json has the form of each.
  static final String SOURCE = "shopify", SIGNATURE = "X-Shopify-Hmac-Sha256", TOPIC = "X-Shopify-Topic",
      KEY = "X-Shopify-Webhook-Id", BRAND = "X-Shopify-Shop-Domain";
  static final long PATIENCE = 4_500; // milliseconds for one delivery; Shopify waits for 5 seconds
  static final int SMALL = 65_536, MOST = 6_291_455; // bytes of a webhook; the service takes no more
  /// The event itself is wrong, or its key is taken. The provider gets this answer as it is.
  static final Set<String> REFUSED = Set.of("malformed_json", "unsupported_media_type", "payload_too_large",
      "validation_failed", "idempotency_key_reused");
  static final Pattern META = Pattern.compile( // in any depth, with and without escapes
      "\"(_|\\\\u005[fF])(m|\\\\u006[dD])(e|\\\\u0065)(t|\\\\u0074)(a|\\\\u0061)\"\\s*:");

  final HttpClient client = HttpClient.newHttpClient(); // follows no redirects: another host would get the token
  final Semaphore large = new Semaphore(16); // webhooks at once: a stranger may send many, unsigned
  final String url = setting("CONNECTOR_API_URL", "https?://(?!/)[\\w.:/%~\\[\\]-]+", "").replaceAll("/+$", "");
  final List<String> secrets = Stream.of(setting("WEBHOOK_SECRET", ".+", ""), setting("WEBHOOK_SECRET_2", ".*", ""))
      .flatMap(String::lines).filter(each -> !each.isEmpty()).toList();
  final String user = "{\"email\":%s,\"password\":%s}".formatted(
      quote(setting("CONNECTOR_API_EMAIL", ".+", "")), quote(setting("CONNECTOR_API_PASSWORD", ".+", "")));
  volatile String token; // one for all threads
  long refreshAt = Long.MAX_VALUE, loginAt = Long.MIN_VALUE;

  /// An answer of the service, or to the provider. Status 0 means that none came. The type may be a reason.
  record Answer(int status, String type, String text, long retryAfter) {
    Answer(int status, String reason) {
      this(status, reason, "", 0);
    }

    String code() { // of the service's problem; empty if it is none
      return type.matches("(?i)application/problem\\+json *(;.*)?") ? member("code", "\"(\\w+)\"") : "";
    }

    String member(String name, String form) {
      Matcher member = Pattern.compile("\"" + name + "\"\\s*:\\s*" + form).matcher(text);
      return isWhole(text) && member.find() ? member.group(1) : "";
    }
  }

  void main() throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true"); // else each answer takes 40 ms longer
    System.setProperty("sun.net.httpserver.maxReqTime", "10"); // seconds until a request has come whole
    int port = Integer.parseInt(setting("PORT", "\\d{1,5}", "8080"));
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
    String set = System.getenv().getOrDefault(name, "").replaceAll("[\r\n]+$", "");
    String value = set.isEmpty() ? missing : set;
    if (!Pattern.compile(form, Pattern.DOTALL).matcher(value).matches()) {
      log(name + " is " + (value.isEmpty() ? "not set" : "malformed"));
      System.exit(1);
    }
    return value;
  }

  static void log(String text) { // a stranger may send line ends and escape sequences
    System.err.println(encoded(text, "[^ -~…]", "\\u%04x"));
  }

  int answerTo(HttpExchange exchange) {
    Answer answer = new Answer(503, "other large ones take all memory");
    int permits = 0;
    try {
      InputStream in = exchange.getRequestBody();
      byte[] start = in.readNBytes(SMALL);
      if (start.length < SMALL || large.tryAcquire()) {
        permits = start.length / SMALL;
        byte[] body = new SequenceInputStream(new ByteArrayInputStream(start), in).readNBytes(MOST + 1);
        answer = receive(exchange.getRequestHeaders(), body);
      }
    } catch (Exception e) { // not its text, which may have anything
      answer = new Answer(503, e.getClass().getSimpleName());
    } finally {
      large.release(permits);
    }
    if (!answer.type.isEmpty()) {
      log(answer.status + " for a webhook: " + answer.type);
    }
    return answer.status;
  }

  /// What the provider gets for a webhook; the type is for the log.
  Answer receive(Headers headers, byte[] body) throws InterruptedException, GeneralSecurityException {
    boolean isSigned = false;
    for (String secret : secrets) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(), "HmacSHA256"));
      byte[] right = Base64.getEncoder().encode(mac.doFinal(body));
      isSigned |= MessageDigest.isEqual(right, header(headers, SIGNATURE).getBytes(StandardCharsets.ISO_8859_1));
    }
    if (body.length > MOST || !isSigned) {
      return body.length > MOST ? new Answer(413, "it is too large") : new Answer(401, "no secret has signed it");
    }
    String id = header(headers, KEY), topic = topic(header(headers, TOPIC)), payload = payload(body);
    if (topic.isEmpty() || id.isEmpty() || payload.isEmpty()) {
      return new Answer(422, payload.isEmpty() ? "it is no JSON object" : "it has no topic or no id");
    }
    String type = SOURCE + "." + topic, requestId = UUID.randomUUID().toString();
    String brand = new String(header(headers, BRAND).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    String meta = "\"source\":%s,\"topic\":%s,\"request_id\":%s,\"received_at\":%s".formatted(
        quote(SOURCE), quote(topic), quote(requestId), quote(Instant.now().toString()));
    if (!brand.isEmpty()) { // events are listed and erased by it
      meta += ",\"shop\":%1$s,\"brand_id\":%1$s".formatted(quote(brand));
    }
    byte[] event = event(type, payload, meta).getBytes(StandardCharsets.UTF_8);
    Answer answer = forward(event, key(id), null, now() + PATIENCE);
    boolean isStored = answer.status == 201 && !answer.member("id", "\"([^\"]+)\"").isEmpty()
        && answer.member("event_type", "\"([^\"]+)\"").equals(type);
    boolean isErased = answer.code().equals("event_erased"); // by an operator: it must not come back
    int status = isStored || isErased ? 200 : REFUSED.contains(answer.code()) ? answer.status : 503;
    String said = answer.code().isEmpty() ? answer.type : answer.text; // not the text of others
    String line = "id %s, request_id %s: %d %s".formatted(id, requestId, answer.status, said);
    return new Answer(status, isStored ? "" : line);
  }

  /// A header. The server reads its bytes as ISO 8859-1. Shopify's newer webhooks have none that begins with X-.
  static String header(Headers headers, String name) {
    return headers.getOrDefault(name, headers.getOrDefault(name.substring(2), List.of(""))).getFirst();
  }

  /// The topic as an event type has it: ASCII without * , " \, no empty segment, no space at a segment's end.
  static String topic(String sent) {
    String segments = sent.replaceAll("/+", "/").replaceAll("^/|/$", "");
    return encoded(segments.replaceAll("(?<![^/]) | (?![^/])", "%20"), "[^ -~]|[*,\"\\\\]", "%%%02X");
  }

  /// An Idempotency-Key for a provider's id. Different ids get different keys.
  static String key(String id) throws NoSuchAlgorithmException {
    String key = id.matches("[!-~&&[^%]]([ -~&&[^%]]*[!-~&&[^%]])?") ? id : encoded(id, "[^\\w.~-]", "%%%02X");
    byte[] bytes = id.getBytes(StandardCharsets.ISO_8859_1);
    return key.length() <= 255 ? key : HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  /// The JSON of a body, without a byte order mark. Empty if it is none.
  static String payload(byte[] body) {
    try { // a decoder refuses what is no UTF-8, which a String would change
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      String json = text.startsWith("\ufeff") ? text.substring(1) : text;
      return isWhole(json) ? json : "";
    } catch (CharacterCodingException e) {
      return "";
    }
  }

  /// The event, with `_meta` appended to the payload's text. Parsing and writing that again could change it.
  static String event(String type, String payload, String meta) {
    if (META.matcher(payload).find() || payload.strip().startsWith("[")) { // ours needs an object, and that name
      payload = "{\"payload\":" + payload + "}";
      meta += ",\"wrapped\":\"payload\"";
    }
    int end = payload.lastIndexOf('}');
    String comma = payload.substring(0, end).strip().equals("{") ? "" : ",";
    return "{\"event_type\":%s,\"payload\":%s%s\"_meta\":{%s}%s}"
        .formatted(quote(type), payload.substring(0, end), comma, meta, payload.substring(end));
  }

  /// Sends an event, and after a 401 once more with a new token. Returns the answer to it.
  Answer forward(byte[] event, String key, String refused, long deadline) throws InterruptedException {
    String token = token(refused, deadline);
    if (Objects.equals(token, refused)) { // at first, both may be null
      return new Answer(0, "no login");
    }
    Answer answer = post("/api/webhook-events", event, deadline, "Authorization", "Bearer " + token, "Idempotency-Key",
        key);
    return answer.status == 401 && refused == null ? forward(event, key, token, deadline) : answer;
  }

  /// The token; the refused one if there is no other. One thread logs in or refreshes, and the others wait for it.
  synchronized String token(String refused, long deadline) throws InterruptedException {
    if (Objects.equals(token, refused) && now() >= loginAt) {
      Answer login = post("/api/auth/login", user.getBytes(StandardCharsets.UTF_8), deadline);
      if (!keep(login)) { // 10 wrong passwords would block the address; a proxy may ask for a day
        log("login: " + login.status + " " + (login.code().isEmpty() ? login.type : login.code()));
        long wait = login.code().isEmpty() ? 0 : Math.min(login.retryAfter, 900_000);
        loginAt = now() + (login.code().equals("invalid_credentials") ? 300_000 : Math.max(1_000, wait));
      }
    } else if (now() >= refreshAt) {
      refreshAt = Long.MAX_VALUE; // if this fails, the token serves until it expires
      keep(post("/api/auth/refresh", new byte[0], deadline, "Authorization", "Bearer " + token));
    }
    return token;
  }

  /// Keeps the token of an answer, to be refreshed at 80 % of its lifetime. Returns whether it has one.
  boolean keep(Answer answer) {
    String found = answer.member("access_token", "\"([!-~&&[^\"\\\\]]+)\"");
    String seconds = answer.member("expires_in", "(\\d{1,9})");
    if (answer.status != 200 || found.isEmpty() || seconds.isEmpty()) {
      return false;
    }
    token = found;
    refreshAt = now() + 800 * Long.parseLong(seconds);
    return true;
  }

  Answer post(String path, byte[] body, long deadline, String... headers) throws InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
        .POST(HttpRequest.BodyPublishers.ofByteArray(body)).header("Content-Type", "application/json");
    CompletableFuture<HttpResponse<String>> sent = client.sendAsync(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofString(), 1_000_000)); // ours are smaller
    try { // a request's own timeout ends with the answer's headers
      HttpResponse<String> answer = sent.get(Math.max(100, deadline - now()), TimeUnit.MILLISECONDS);
      String after = answer.headers().firstValue("Retry-After").filter(each -> each.matches("\\d{1,9}")).orElse("0");
      String text = token == null ? answer.body() : answer.body().replace(token, "…"); // some show what they got
      String type = answer.headers().firstValue("Content-Type").orElse("");
      return new Answer(answer.statusCode(), type, text, 1_000 * Long.parseLong(after));
    } catch (ExecutionException | TimeoutException e) { // not its text, which may have the token
      return new Answer(0, "no answer: " + Objects.requireNonNullElse(e.getCause(), e).getClass().getSimpleName());
    } finally {
      sent.cancel(true);
    }
  }

  /// Whether its brackets make one object or array, and nothing is beside it. The service finds finer faults.
  static boolean isWhole(String text) {
    String json = text.strip();
    boolean isQuoted = false;
    for (int i = 0, depth = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (isQuoted) {
        i += c == '\\' ? 1 : 0;
        isQuoted = c != '"';
      } else {
        isQuoted = c == '"';
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        if (depth <= 0) {
          return i == json.length() - 1 && Set.of("{}", "[]").contains("" + json.charAt(0) + c);
        }
      }
    }
    return false;
  }

  static String quote(String text) {
    return '"' + encoded(text, "[^ -~]|[\"\\\\]", "\\u%04x") + '"';
  }

  /// The text, with each character of this form written by its number.
  static String encoded(String text, String form, String number) {
    return Pattern.compile(form).matcher(text).replaceAll(found -> Matcher.quoteReplacement(
        found.group().chars().mapToObj(number::formatted).collect(Collectors.joining())));
  }

  static long now() {
    return System.nanoTime() / 1_000_000;
  }
}
