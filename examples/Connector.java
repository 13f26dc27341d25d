import module java.base;
import module java.net.http;
import module jdk.httpserver;

/// Receives Shopify's webhooks and forwards them to Connector Events. JDK 25, no libraries: `java Connector.java`.
///
/// Settings: `WEBHOOK_SECRET`, `CONNECTOR_API_URL`, `PORT` (8080), and either `CONNECTOR_API_TOKEN`, or
/// `CONNECTOR_API_EMAIL` and `CONNECTOR_API_PASSWORD`. docs/connectors.md explains the rules.
final class Connector {
  static final long PATIENCE = 4_500; // milliseconds for one delivery; Shopify waits for 5 seconds
  static final int MAX_BODY = 6_000_000; // bytes; the service accepts no more
  static final Set<Integer> MAY_PASS = Set.of(0, 429, 500, 502, 503, 504);
  static final Set<Integer> NEVER_STORED = Set.of(400, 410, 413, 415, 422); // 410: erased, it must not come back
  static final Pattern TOKEN = Pattern.compile("\"access_token\":\"(.+?)\".*\"expires_in\":(\\d+)");

  final HttpClient client = HttpClient.newHttpClient();
  final String url = setting("CONNECTOR_API_URL");
  final Key secret = new SecretKeySpec(setting("WEBHOOK_SECRET").getBytes(), "HmacSHA256");
  final boolean isStatic = !System.getenv().getOrDefault("CONNECTOR_API_TOKEN", "").isEmpty();
  final String user = isStatic ? "" : json(Map.of(
      "email", setting("CONNECTOR_API_EMAIL"), "password", setting("CONNECTOR_API_PASSWORD")));

  /// One token for all threads. One thread logs in; the others wait for it.
  volatile String token = isStatic ? setting("CONNECTOR_API_TOKEN") : null;
  volatile Answer failure;
  long refreshAt = Long.MAX_VALUE;
  long loginAt = Long.MIN_VALUE;

  /// Status 0 means that no answer came. Times are in milliseconds.
  record Answer(int status, long retryAfter, String text) {}

  void main() throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true"); // else each answer takes 40 ms longer
    System.setProperty("sun.net.httpserver.maxReqTime", "10"); // seconds
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/webhooks", exchange -> {
      try (exchange) {
        exchange.sendResponseHeaders(receive(exchange), -1);
      } catch (InterruptedException | GeneralSecurityException e) {
        throw new IOException(e);
      }
    });
    server.start();
    IO.println("listening on port " + server.getAddress().getPort());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(5))); // open requests end first
  }

  static String setting(String name) {
    String text = System.getenv().getOrDefault(name, "");
    if (text.isEmpty()) {
      System.err.println(name + " is not set");
      System.exit(1);
    }
    return text;
  }

  Answer post(String path, byte[] body, long deadline, Map<String, String> headers) throws InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
        .header("Content-Type", "application/json");
    headers.forEach(request::header);
    try {
      HttpResponse<String> answer = client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
          .get(Math.max(100, deadline - now()), TimeUnit.MILLISECONDS);
      long retryAfter = 1_000 * answer.headers().firstValueAsLong("Retry-After").orElse(0);
      return new Answer(answer.statusCode(), retryAfter, answer.body());
    } catch (ExecutionException | TimeoutException | NumberFormatException e) {
      return new Answer(0, 0, e.toString());
    }
  }

  /// The token. If that is still the refused one, `failure` says why.
  String token(String refused) throws InterruptedException {
    synchronized (this) {
      if (Objects.equals(token, refused) && now() >= loginAt) { // at first, both are null
        Answer answer = keep(post("/api/auth/login", user.getBytes(), now() + PATIENCE, Map.of()));
        if (answer.status != 200) { // 10 wrong passwords would block the address
          failure = answer;
          loginAt = now() + (answer.status == 401 ? 300_000 : Math.max(1_000, answer.retryAfter));
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

  synchronized Answer keep(Answer answer) {
    Matcher found = TOKEN.matcher(answer.text);
    if (answer.status == 200 && found.find()) {
      token = found.group(1);
      refreshAt = now() + 800 * Long.parseLong(found.group(2));
    }
    return answer;
  }

  /// Stores an event, with retries. Returns the last answer.
  Answer forward(byte[] event, String key) throws InterruptedException {
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
      if (!MAY_PASS.contains(answer.status) || now() + wait > deadline) {
        return answer;
      }
      Thread.sleep(wait);
    }
  }

  int receive(HttpExchange exchange) throws IOException, InterruptedException, GeneralSecurityException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(secret);
    mac.update(body);
    long length = body.length;
    for (byte[] part; (part = exchange.getRequestBody().readNBytes(65_536)).length > 0; length += part.length) {
      mac.update(part); // too large: only for the signature
      if (length + part.length > 10 * MAX_BODY) {
        return 413; // no provider sends so much
      }
    }
    String signature = Base64.getEncoder().encodeToString(mac.doFinal());
    if (!MessageDigest.isEqual(signature.getBytes(), header(exchange, "Hmac-Sha256").getBytes())) {
      return 401;
    }
    String topic = header(exchange, "Topic");
    String key = header(exchange, "Webhook-Id");
    String requestId = UUID.randomUUID().toString();
    String shop = header(exchange, "Shop-Domain");
    String meta = json(Map.of("source", "shopify", "topic", topic, "request_id", requestId,
        "shop", shop, "brand_id", shop, "received_at", Instant.now().toString()));
    Answer answer = length > MAX_BODY
        ? new Answer(413, 0, length + " bytes, more than " + MAX_BODY)
        : forward(event("shopify." + topic, body, meta), key);
    if (answer.status == 201) {
      return 200;
    }
    System.err.printf("webhook %s, request_id %s: %d %s%n", key, requestId, answer.status, answer.text);
    return NEVER_STORED.contains(answer.status) ? 200 : 503; // a bad event would return for hours
  }

  static String header(HttpExchange exchange, String name) {
    return Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("X-Shopify-" + name), "");
  }

  /// The event, with `_meta` appended to the payload's text. Parsing and writing that again could change it.
  static byte[] event(String type, byte[] payload, String meta) {
    String text = new String(payload, StandardCharsets.ISO_8859_1); // one char for each byte
    int end = Math.max(0, text.lastIndexOf('}'));
    String comma = text.substring(0, end).strip().equals("{") ? "" : ",";
    return "{\"event_type\":%s,\"payload\":%s%s\"_meta\":%s%s}"
        .formatted(quote(type), text.substring(0, end), comma, meta, text.substring(end))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  static String json(Map<String, String> members) {
    return members.entrySet().stream()
        .map(member -> quote(member.getKey()) + ":" + quote(member.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  static String quote(String text) {
    return text.chars()
        .mapToObj(c -> "\"\\".indexOf(c) < 0 && c >= ' ' && c <= '~' ? Character.toString(c) : "\\u%04x".formatted(c))
        .collect(Collectors.joining("", "\"", "\""));
  }

  static long now() {
    return System.nanoTime() / 1_000_000;
  }
}
