// Receives Shopify's webhooks and forwards them to Connector Events. Node 20 or newer, no packages.
//
// Settings: WEBHOOK_SECRET, CONNECTOR_API_URL, PORT (8080), and either CONNECTOR_API_TOKEN, or
// CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD. docs/connectors.md explains the rules.
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE = 4500; // milliseconds for one delivery; Shopify waits for 5 seconds
const MAX_BODY = 6_000_000; // bytes; the service accepts no more

function setting(name) {
  if (process.env[name]) return process.env[name];
  console.error(`${name} is not set`);
  process.exit(1);
}
const url = setting("CONNECTOR_API_URL");
const secret = setting("WEBHOOK_SECRET");
const staticToken = process.env.CONNECTOR_API_TOKEN;
const user = staticToken || { email: setting("CONNECTOR_API_EMAIL"), password: setting("CONNECTOR_API_PASSWORD") };

/** Tries once. Status 0 means that no answer came. */
async function post(path, body, deadline, headers) {
  try {
    const signal = AbortSignal.timeout(Math.max(100, deadline - Date.now()));
    headers = { "Content-Type": "application/json", ...headers };
    const answer = await fetch(url + path, { method: "POST", body, headers, signal });
    const retryAfter = 1000 * answer.headers.get("Retry-After") || 0;
    return { status: answer.status, retryAfter, text: await answer.text() };
  } catch (error) {
    return { status: 0, retryAfter: 0, text: String(error.cause ?? error) };
  }
}

// One token for all requests. One request logs in; the others wait for the same promise.
let token = staticToken, refreshAt = Infinity, login, failure, loginAt = 0;

/** The token. If that is still the refused one, failure says why. */
async function getToken(refused) {
  if (token === refused && Date.now() >= loginAt) { // at first, both are undefined
    await (login ??= logIn().finally(() => (login = undefined)));
  } else if (Date.now() >= refreshAt) {
    refreshAt = Infinity; // if this fails, the token serves until it expires
    keep(await post("/api/auth/refresh", "", Date.now() + PATIENCE, { Authorization: `Bearer ${token}` }));
  }
  return token;
}

async function logIn() {
  const answer = keep(await post("/api/auth/login", JSON.stringify(user), Date.now() + PATIENCE));
  if (answer.status === 200) return;
  failure = answer;
  const pause = answer.status === 401 ? 300_000 : Math.max(1000, answer.retryAfter);
  loginAt = Date.now() + pause; // 10 wrong passwords would block the address
}

function keep(answer) {
  if (answer.status === 200) {
    const { access_token, expires_in } = JSON.parse(answer.text);
    [token, refreshAt] = [access_token, Date.now() + 800 * expires_in];
  }
  return answer;
}

/** Stores an event, with retries. Returns the last answer. */
async function forward(event, key) {
  const deadline = Date.now() + PATIENCE;
  for (let attempt = 0, refused; ; attempt++) {
    const token = await getToken(refused);
    let answer = failure;
    if (token !== refused) {
      const headers = { Authorization: `Bearer ${token}`, "Idempotency-Key": key };
      answer = await post("/api/webhook-events", event, deadline, headers);
      if (answer.status === 401 && !refused && !staticToken) {
        refused = token; // expired or revoked: log in once more
        continue;
      }
    }
    const wait = answer.retryAfter + Math.random() * Math.min(2000, 100 * 2 ** attempt);
    const mayPass = [0, 429, 500, 502, 503, 504].includes(answer.status);
    if (!mayPass || Date.now() + wait > deadline) return answer;
    await sleep(wait);
  }
}

/** The event, with _meta appended to the payload's bytes. Parsing and writing them again could change them. */
function eventOf(payload, meta) {
  const end = Math.max(0, payload.lastIndexOf("}"));
  const head = payload.subarray(0, end);
  const comma = head.toString().trim() === "{" ? "" : ",";
  const start = `{"event_type":${JSON.stringify(`${meta.source}.${meta.topic}`)},"payload":`;
  const appended = `${comma}"_meta":${JSON.stringify(meta)}`;
  return Buffer.concat([start, head, appended, payload.subarray(end), "}"].map((part) => Buffer.from(part)));
}

async function receive(request) {
  if (request.method !== "POST" || request.url !== "/webhooks") return 404;
  const mac = createHmac("sha256", secret), parts = [];
  let length = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    mac.update(part);
    length += part.length;
    if (length > 10 * MAX_BODY) return 413; // no provider sends so much
    if (length <= MAX_BODY) parts.push(part);
  }
  const signature = mac.digest();
  const sent = Buffer.from(request.headers["x-shopify-hmac-sha256"] ?? "", "base64");
  if (sent.length !== signature.length || !timingSafeEqual(sent, signature)) return 401;

  const { "x-shopify-topic": topic = "", "x-shopify-webhook-id": key = "", "x-shopify-shop-domain": shop = "" } =
    request.headers;
  const meta = {
    source: "shopify", topic, request_id: randomUUID(), shop, brand_id: shop, received_at: new Date().toISOString(),
  };
  const tooLarge = { status: 413, text: `${length} bytes, more than ${MAX_BODY}` };
  const answer = length <= MAX_BODY ? await forward(eventOf(Buffer.concat(parts), meta), key) : tooLarge;
  if (answer.status === 201) return 200;
  console.error(`webhook ${key}, request_id ${meta.request_id}: ${answer.status} ${answer.text}`);
  // A bad event would return for hours. 410: an operator has erased the event, and it must not come back.
  return [400, 410, 413, 415, 422].includes(answer.status) ? 200 : 503;
}

const server = createServer(async (request, response) => {
  const status = await receive(request).catch(() => 400); // the request broke off
  response.writeHead(status, { Connection: "close" }).end();
});
server.requestTimeout = 10_000;
server.listen(process.env.PORT ?? 8080, () => console.log(`listening on port ${server.address().port}`));
process.on("SIGTERM", () => server.close()); // open requests end first
