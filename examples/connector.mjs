// Receives Shopify's webhooks and forwards them to Connector Events. Node 20 or newer, no packages.
//
// Settings: WEBHOOK_SECRET, or two, a line each, while one is being replaced; CONNECTOR_API_URL, PORT (8080), REFUSED
// (refused.jsonl), and either CONNECTOR_API_TOKEN, or CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD.
// docs/connectors.md explains the rules.
import { isUtf8 } from "node:buffer";
import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE = 4500; // milliseconds for one delivery; Shopify waits for 5 seconds
const MAX_EVENT = 6_275_000; // bytes; the rest of Lambda's 6,291,455 is for the request's headers
const MAX_ANSWER = 10_000_000; // bytes; those of the service are smaller
const MAX_WEBHOOK = 25_000_000; // bytes; GitHub sends no more, and we know of nobody who does
const MAX_BODIES = 100_000_000; // bytes that webhooks take together; a stranger may send many, unsigned
const PIECE = 65_536; // bytes. So many of each body are taken even if others have all the memory
const LONGEST_WAIT = 900_000; // milliseconds for which the service may ask before the next login
const LONGEST_STOP = 5_000; // milliseconds for open requests, after SIGTERM
const REFUSED = [ // no further try can succeed, until somebody mends the event, the connector or the service
  "malformed_json", "unsupported_media_type", "payload_too_large", "validation_failed", "idempotency_key_reused",
];

/** A setting, without a newline at its end. A message never has its value, which may be a secret. */
function setting(name, form = /^[^]+$/, missing = "") {
  const value = (process.env[name] ?? "").replace(/[\r\n]+$/, "") || missing;
  if (form.test(value)) return value;
  log(`${name} is ${value ? "malformed" : "not set"}`);
  process.exit(1);
}

/** Logs a line. A stranger may send line ends and escape sequences. */
function log(text) {
  console.error(text.replace(/[^ -~…]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`));
}

/** Milliseconds of a clock that nobody sets. */
function now() {
  return Math.round(performance.now());
}

const url = setting("CONNECTOR_API_URL", /^https?:\/\/(?!\/)[\w.:/%~[\]-]+$/).replace(/\/+$/, "");
const secrets = setting("WEBHOOK_SECRET").split(/[\r\n]+/).filter(Boolean);
const staticToken = process.env.CONNECTOR_API_TOKEN ? setting("CONNECTOR_API_TOKEN", /^[!-~]+$/) : undefined;
const user = staticToken || { email: setting("CONNECTOR_API_EMAIL"), password: setting("CONNECTOR_API_PASSWORD") };
const refusedFile = setting("REFUSED", /^[^]+$/, "refused.jsonl");
const port = setting("PORT", /^\d+$/, "8080");

/** Tries once. Status 0 means that no answer came. Redirects are not followed: another host would get the token. */
async function post(path, body, deadline, headers) {
  try {
    const signal = AbortSignal.timeout(Math.max(100, deadline - now()));
    headers = { "Content-Type": "application/json", ...headers };
    const answer = await fetch(url + path, { method: "POST", body, headers, signal, redirect: "manual" });
    const retryAfter = Math.max(0, 1000 * answer.headers.get("Retry-After") || 0);
    const type = answer.headers.get("Content-Type") ?? "";
    const token = headers.Authorization?.slice("Bearer ".length);
    const text = await textOf(answer);
    const content = parsed(token ? text.replaceAll(token, "…") : text); // some show what they got
    return { status: answer.status, retryAfter, type, content };
  } catch (error) { // not its text, which may have the token
    return { status: 0, retryAfter: 0, type: `no answer: ${error.cause?.code ?? error.name}` };
  }
}

async function textOf(answer) {
  const parts = [];
  let length = 0;
  for await (const part of answer.body ?? []) {
    length += part.length;
    if (length > MAX_ANSWER) throw new RangeError();
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The service's problem. Undefined if somebody else answers, or nobody. */
function problemOf({ type, content }) {
  return /^application\/problem\+json *(;|$)/i.test(type) ? content : undefined;
}

/** What the service says of an event: stored, or the code of its problem. Undefined if this is no such answer. */
function outcome(answer, eventType) {
  const { status, content } = answer;
  if (status === 201) {
    const hasId = typeof content?.id === "string" && content.id;
    return hasId && content.event_type === eventType ? "stored" : undefined;
  }
  const code = problemOf(answer)?.code;
  return code === "event_erased" || REFUSED.includes(code) ? code : undefined;
}

function said(answer) {
  return `${answer.status} ${JSON.stringify(problemOf(answer)) ?? answer.type}`;
}

// One token for all requests. One request logs in; the others wait for the same promise.
let token = staticToken, refreshAt = Infinity, login, failure, loginAt = 0;

/** The token. If that is still the refused one, failure says why. */
async function getToken(refused) {
  if (token === refused && now() >= loginAt) { // at first, both are undefined
    await (login ??= logIn().finally(() => (login = undefined)));
  } else if (now() >= refreshAt) {
    refreshAt = Infinity; // if this fails, the token serves until it expires
    keep(await post("/api/auth/refresh", "", now() + PATIENCE, { Authorization: `Bearer ${token}` }));
  }
  return token;
}

async function logIn() {
  const answer = await post("/api/auth/login", JSON.stringify(user), now() + PATIENCE);
  if (keep(answer)) return;
  const why = problemOf(answer)?.code ?? answer.type; // not more: others may show the password that they got
  failure = { status: answer.status, retryAfter: answer.retryAfter, type: `login: ${answer.status} ${why}` };
  const isWrong = problemOf(answer)?.code === "invalid_credentials"; // 10 of them would block the address
  const asked = problemOf(answer) ? Math.min(answer.retryAfter, LONGEST_WAIT) : 0; // a proxy may ask for a day
  loginAt = now() + (isWrong ? 300_000 : Math.max(1000, asked));
}

/** Keeps the token of an answer. Returns whether it has one. */
function keep({ status, content }) {
  const { access_token, expires_in } = content ?? {};
  const isToken = status === 200 && /^[!-~]+$/.test(access_token ?? "") && expires_in >= 0;
  if (isToken) [token, refreshAt] = [access_token, now() + 800 * expires_in];
  return isToken;
}

/** Stores an event, with retries. Returns the last answer. */
async function forward(event, key, eventType) {
  const deadline = now() + PATIENCE;
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
    const isUnknown = answer.status > 0 && answer.status < 400 && answer !== failure;
    const mayPass = [0, 429].includes(answer.status) || answer.status >= 500 || isUnknown;
    if (outcome(answer, eventType) || !mayPass || now() + wait > deadline) return answer;
    await sleep(wait);
  }
}

/** The bytes of a header. Node reads them as ISO 8859-1. */
function header(request, name) { // newer ones have no X-: shopify.dev/docs/apps/build/events/delivery-structure
  return Buffer.from(request.headers[`x-shopify-${name}`] || request.headers[`shopify-${name}`] || "", "latin1");
}

function percent(byte) {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** The bytes as text, and each byte that does not match as %XX. */
function encoded(bytes, form) {
  return Array.from(bytes, (byte) => (form.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : percent(byte)))
    .join("");
}

/** An Idempotency-Key for a provider's id. Different ids get different keys. */
function keyOf(id) {
  const isPlain = /^[!-$&-~]([ -$&-~]*[!-$&-~])?$/.test(id.toString("latin1"));
  const key = isPlain ? id.toString() : encoded(id, /[\w.~-]/);
  return key.length <= 255 ? key : createHash("sha256").update(id).digest("hex");
}

/** The topic as an event type has it: ASCII without * , " \, no empty segment, no space at a segment's end. */
function topicOf(sent) {
  const segments = sent.toString("latin1").replace(/\/+/g, "/").replace(/^\/|\/$/g, "");
  const topic = segments.replace(/(?<![^/]) | (?![^/])/g, "%20");
  return encoded(Buffer.from(topic, "latin1"), /[^*,"\\\x00-\x1f\x7f-\xff]/);
}

/** The event: the payload as it came, and _meta. Parsing and writing the payload again could change it. */
function eventOf(payload, content, meta) {
  const isWrapped = Array.isArray(content) || Object.hasOwn(content, "_meta"); // ours needs an object, and that name
  if (isWrapped) {
    payload = Buffer.concat([Buffer.from('{"payload":'), payload, Buffer.from("}")]);
    meta = { ...meta, wrapped: "payload" };
  }
  const end = payload.lastIndexOf("}");
  const comma = isWrapped || Object.keys(content).length ? "," : "";
  const start = `{"event_type":${JSON.stringify(`${meta.source}.${meta.topic}`)},"payload":`;
  const appended = `${comma}"_meta":${JSON.stringify(meta)}`;
  return Buffer.concat(
    [start, payload.subarray(0, end), appended, payload.subarray(end), "}"].map((part) => Buffer.from(part)));
}

/** Its bytes in Lambda's event, which has the request's body as a JSON string: a quote there takes two. */
function sizeOf(event) {
  return Buffer.byteLength(JSON.stringify(event.toString()));
}

let last = Promise.resolve();

/** Appends to the file what was refused, after the records before. */
function refuse(record) {
  return (last = last.catch(() => {}).then(() => append(record)));
}

/** When it returns, the disk has the record: in one write, unless the disk is nearly full, so that no others mix. */
async function append(record) {
  const file = await open(refusedFile, "a", 0o600);
  try {
    let rest = Buffer.from(`\n${JSON.stringify({ at: new Date().toISOString(), ...record })}`);
    while (rest.length) rest = rest.subarray((await file.write(rest)).bytesWritten);
    await file.sync();
  } finally {
    await file.close();
  }
  const folder = await open(dirname(refusedFile)); // which has the file's name, if the file is new
  await folder.sync().finally(() => folder.close());
}

function fail(status, reason) {
  log(`${status} for a webhook: ${reason}`);
  return status;
}

let free = MAX_BODIES; // what a client only announces takes nothing

async function answerTo(request) {
  if (request.method !== "POST" || request.url !== "/webhooks") return 404;
  const announced = request.headers["content-length"];
  if (announced > PIECE && announced > free) return fail(503, "other bodies take all memory");
  const parts = [];
  let length = 0, taken = 0;
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      length += part.length;
      free -= Math.max(0, length - PIECE) - taken;
      taken = Math.max(0, length - PIECE);
      if (length > MAX_WEBHOOK) return fail(413, `more than ${MAX_WEBHOOK} bytes`);
      if (free < 0) return fail(503, "other bodies take all memory");
      parts.push(part);
    }
    return await receive(request, Buffer.concat(parts));
  } finally {
    free += taken;
  }
}

/** Whether one of these secrets has signed the body. */
function isSigned(request, body, secrets) {
  const sent = Buffer.from(header(request, "hmac-sha256").toString(), "base64");
  return secrets.some((secret) => {
    const signature = createHmac("sha256", secret).update(body).digest();
    return sent.length === signature.length && timingSafeEqual(sent, signature);
  });
}

/** Why a request is not signed, as far as can be told. For the log: a stranger must not know. */
function why(request, body) {
  if (!header(request, "hmac-sha256").length) return "it has no X-Shopify-Hmac-Sha256";
  if (body.length > 10_000) return "the signature is wrong"; // a flood of them must not take all time
  const stripped = secrets.map((secret) => secret.replace(/^[\s"']+|[\s"']+$/g, ""));
  if (isSigned(request, body, stripped)) return "WEBHOOK_SECRET has quotes or spaces that do not belong to it";
  const compact = JSON.stringify(parsed(body)) ?? "";
  if ([`${body}`.trim(), compact, compact.replaceAll("/", "\\/")].some((each) => isSigned(request, each, secrets))) {
    return "its body was changed on the way: does a proxy parse it?";
  }
  return `the signature is wrong: it is of none of the secrets (${secrets.length}), or of another body`;
}

async function receive(request, body) {
  if (!isSigned(request, body, secrets)) return fail(401, why(request, body));

  const id = header(request, "webhook-id"), topic = topicOf(header(request, "topic"));
  const text = body.subarray(`${body.subarray(0, 3)}` === "\uFEFF" ? 3 : 0); // a byte order mark is no part of the JSON
  const content = isUtf8(text) ? parsed(text) : undefined;
  const domain = content?.shop_domain; // github.com/Shopify/shopify-api-ruby/issues/1261
  const shop = header(request, "shop-domain").toString() || (typeof domain === "string" ? domain : "");
  const meta = { source: "shopify", topic, request_id: randomUUID(), received_at: new Date().toISOString() };
  if (shop) meta.shop = meta.brand_id = shop;
  const logIt = (said) => log(`webhook ${id}, request_id ${meta.request_id}: ${said}`);
  const event = content && typeof content === "object" ? eventOf(text, content, meta) : undefined;
  const size = event ? sizeOf(event) : 0;
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  const reason = !topic || !id.length ? "it has no topic or no id"
    : !event ? (isGzip ? "its body is in gzip, not in plain JSON" : "it is no JSON object")
    : size > MAX_EVENT ? `${size} bytes as Lambda counts, more than ${MAX_EVENT}` : undefined;
  if (reason) {
    const headers = Object.entries(request.headers).filter(([name]) => /shopify|^content/.test(name));
    await refuse({ key: null, answer: { reason, topic, key: `${id}`, shop }, body: body.toString("base64"), headers });
    logIt(`refused: ${reason}`);
    return 200;
  }
  const key = keyOf(id);
  const answer = await forward(event, key, `shopify.${topic}`);
  const code = outcome(answer, `shopify.${topic}`);
  if (code === "stored") return 200;
  logIt(said(answer));
  if (REFUSED.includes(code)) { // kept first, then answered 2xx: it would be refused each time
    const withKey = `{"idempotency_key":${JSON.stringify(key)},${event.subarray(1)}`;
    await refuse({ key, answer: problemOf(answer), event: withKey });
  }
  return code ? 200 : 503; // event_erased: an operator has erased it, and it must not come back
}

const limits = { requestTimeout: 10_000, headersTimeout: 5_000, connectionsCheckingInterval: 500 }; // milliseconds
const server = createServer(limits, async (request, response) => {
  const status = await answerTo(request).catch((error) => fail(503, error.code ?? error.name));
  response.writeHead(status, { Connection: "close" }).end();
});
server.listen(port, () => console.log(`listening on port ${server.address().port}`));
process.on("SIGTERM", () => {
  server.close(); // open requests end first, if that does not take long
  setTimeout(() => process.exit(), LONGEST_STOP).unref();
});
