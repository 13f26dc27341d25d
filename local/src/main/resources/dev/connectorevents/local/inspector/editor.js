// Copies a request, and sends it again.

import { keyedEvents, withNewKeys } from "./keys.js";

const NOT_SENT = /^(host|connection|content-length|expect|upgrade|http2-settings|transfer-encoding|cookie|x-forwarded-.*|x-amzn-trace-id)$/;
const KEY_LINE = /^(idempotency-key[ \t]*:[ \t]*)(.*?)[ \t]*$/im;
const MASK = "•••";

const byId = id => document.getElementById(id);
const dialog = byId("editor");
const form = dialog.querySelector("form");

let original; // the request that is edited
let sending = new AbortController(); // aborted when the editor closes

const sendable = headers => Object.entries(headers).filter(([name]) => !NOT_SENT.test(name.toLowerCase()));

/** The service adds a token of its own. */
const withoutToken = headers => sendable(headers).filter(([name]) => name.toLowerCase() !== "authorization");

export function curl({ row, headers, body }) {
  const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;
  const { method, path } = row.exchange;
  const parts = [`curl -gi -X ${quoted(method)} ${quoted(location.origin + path)}`]; // -g: no [sets]
  for (const [name, value] of sendable(headers)) {
    const isToken = name.toLowerCase() === "authorization";
    parts.push(isToken ? `-H "Authorization: Bearer $TOKEN"` : `-H ${quoted(`${name}: ${value}`)}`);
  }
  if (body) parts.push(`--data-raw ${quoted(body)}`);
  return parts.join(" \\\n  ");
}

export function edit({ row, headers, body, isMasked }) {
  form.method.value = row.exchange.method;
  form.path.value = row.exchange.path;
  form.headers.value = withoutToken(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  form.body.value = body;
  const events = keyedEvents(body);
  original = {
    body,
    isMasked,
    shown: form.body.value, // a text area changes the ends of lines
    key: row.event.key,
    events: events.map(event => (isMasked && event.text.includes(MASK) ? { ...event, text: null } : event)),
    newKeys: new Map(),
    role: usualRole(row.exchange),
  };
  form.role.value = original.role;
  form.isNewKey.checked = true;
  byId("new-key").hidden = !row.event.key && events.length === 0;
  byId("editor-note").hidden = !isMasked;
  byId("editor-problem").textContent = "";
  showKey();
  dialog.showModal();
  form.body.focus();
}

// ---- whose token

/** The role that the route is for; none for a login. */
function usualRole({ method, path }) {
  const route = path.split("?", 1)[0];
  if (route.endsWith("/login")) return "";
  return method === "GET" && route.startsWith("/api/webhook-events") ? "consumer" : "connector";
}

/** Follows the route. The user's own choice stays until the route is for another role. */
function showRole() {
  const role = usualRole({ method: form.method.value, path: form.path.value });
  if (role !== original.role) form.role.value = role;
  original.role = role;
}

form.method.addEventListener("input", showRole);
form.path.addEventListener("input", showRole);

// ---- the keys of changed events

const isChanged = () => original.isMasked || form.body.value !== original.shown;

function newKey(old) {
  if (!original.newKeys.has(old)) original.newKeys.set(old, crypto.randomUUID());
  return original.newKeys.get(old);
}

/** Shows the key that will be sent, unless the header has one that the user has typed. */
function showKey() {
  const old = original.key;
  if (!old) return;
  const headers = form.headers.value.replace(KEY_LINE, (line, name, shown) =>
    shown !== old && shown !== newKey(old) ? line : name + (isChanged() && form.isNewKey.checked ? newKey(old) : old),
  );
  if (headers !== form.headers.value) form.headers.value = headers;
}

form.body.addEventListener("input", showKey);
form.isNewKey.addEventListener("change", showKey);

// ---- sending

form.addEventListener("submit", event => {
  if (event.submitter.value !== "send") return;
  event.preventDefault();
  send();
});

dialog.addEventListener("close", () => sending.abort());

async function send() {
  sending = new AbortController();
  const { signal } = sending;
  showSending(true);
  byId("editor-problem").textContent = "";
  try {
    const id = await post("send", edited(), signal);
    dialog.close();
    location.hash = id;
  } catch (error) {
    if (!signal.aborted) byId("editor-problem").textContent = error.message;
  } finally {
    showSending(false);
  }
}

/** Sends a request through the inspector; returns its id. */
export async function post(path, request, signal) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "X-Inspector-Nonce": await nonce() },
    body: JSON.stringify(request),
    signal,
  });
  const { id, message } = await answer.json();
  if (!answer.ok) throw new Error(message);
  return id;
}

/** Read anew each time: after a restart of local/serve, this page has an old one. */
async function nonce() {
  const page = await (await fetch("./")).text();
  return new DOMParser().parseFromString(page, "text/html").querySelector("meta[name=nonce]").content;
}

/** Sends a request as it was, with a token of the user that its route is for. */
export function sendAgain({ row, headers, body }) {
  const { method, path } = row.exchange;
  const role = usualRole(row.exchange) || null;
  return post("send", { method, path, headers: Object.fromEntries(withoutToken(headers)), body, role });
}

function showSending(isSending) {
  byId("send").disabled = isSending;
  byId("send").textContent = isSending ? "Sending …" : "Send";
}

function edited() {
  const lines = form.headers.value.split("\n").filter(line => line.trim());
  const headers = lines.map(line => [line.split(":", 1)[0].trim(), line.slice(line.indexOf(":") + 1).trim()]);
  const body = form.body.value === original.shown ? original.body : form.body.value;
  return {
    method: form.method.value,
    path: form.path.value,
    headers: Object.fromEntries(headers),
    body: form.isNewKey.checked ? withNewKeys(body, original.events, newKey) : body,
    role: form.role.value || null,
  };
}
