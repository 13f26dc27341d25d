// Copies a request, and sends it again.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { button, parse } from "./tree.js";

const NOT_SENT = /^(host|connection|content-length|expect|upgrade|http2-settings|transfer-encoding|cookie|x-forwarded-.*|x-amzn-trace-id)$/;
const KEY_LINE = /^(idempotency-key[ \t]*:[ \t]*)(.*)$/im;

const dialog = document.getElementById("editor");

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

/** The role that the route is for; none for a login. */
function usualRole({ method, path }) {
  const route = path.split("?", 1)[0];
  if (route.endsWith("/login")) return "";
  return method === "GET" && route.startsWith("/api/webhook-events") ? "consumer" : "connector";
}

/** Sends a request through the inspector; returns its id. */
export async function post(request, signal) {
  const answer = await fetch("send", {
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
export function sendAgain({ row: { exchange }, headers, body }) {
  const { method, path } = exchange;
  return post({ method, path, headers: Object.fromEntries(withoutToken(headers)), body, role: usualRole(exchange) || null });
}

/** Opens the editor. */
export function edit({ row: { exchange, event }, headers, body, isMasked }) {
  const lines = withoutToken(headers).map(([name, value]) => `${name}: ${value}`);
  const hasKey = event.key || keysIn(body).length > 0;
  const view = html`<form method="dialog" @submit=${submit}>
    <h2 id="editor-title">Edit and send again</h2>
    ${isMasked ? html`<p>Passwords and tokens are masked here. Replace each ••• before you send.</p>` : nothing}
    <div class="target">
      <label>Method <input name="method" required pattern="[A-Z]+" .value=${exchange.method}></label>
      <label>Path <input name="path" required pattern="/.*" .value=${exchange.path}></label>
      <label>Token <select name="role">
        <option value="connector">of a connector</option>
        <option value="consumer">of a consumer</option>
        <option value="">as in the headers</option>
      </select></label>
    </div>
    <label>Headers, one a line <textarea name="headers" rows="4" spellcheck="false" .value=${lines.join("\n")}></textarea></label>
    <label>Body <textarea name="body" rows="12" spellcheck="false" .value=${body}></textarea></label>
    ${hasKey ? html`<p>${button("New keys", newKeys)} A changed event needs a new key. With its old key, the service
      answers 422.</p>` : nothing}
    <p role="alert"></p>
    <div role="group">
      <button type="submit" value="send">Send</button>
      <button type="submit" value="cancel" formnovalidate>Cancel</button>
    </div>
  </form>`;
  render(nothing, dialog);
  render(view, dialog);
  const form = dialog.querySelector("form");
  form.role.value = usualRole(exchange);
  form.sent = { body, shown: form.body.value }; // a text area changes the ends of lines
  dialog.showModal();
  form.body.focus();
}

/** The keys that events have in the body itself. */
function keysIn(body) {
  const json = parse(body);
  const events = Array.isArray(json?.events) ? json.events : [json];
  return events.map(event => event?.idempotency_key).filter(key => typeof key === "string");
}

function newKeys({ target: { form } }) {
  form.headers.value = form.headers.value.replace(KEY_LINE, (_, name) => name + crypto.randomUUID());
  for (const key of new Set(keysIn(form.body.value))) {
    const other = crypto.randomUUID();
    form.body.value = form.body.value.replaceAll(/("idempotency_key"\s*:\s*)("(?:[^"\\]|\\.)*")/g, (found, name, text) =>
      parse(text) === key ? name + JSON.stringify(other) : found,
    );
  }
}

async function submit(event) {
  if (event.submitter.value !== "send") return;
  event.preventDefault();
  const form = event.currentTarget;
  const sending = new AbortController();
  dialog.addEventListener("close", () => sending.abort(), { once: true });
  const problem = form.querySelector("[role=alert]");
  problem.textContent = "";
  event.submitter.disabled = true;
  try {
    const id = await post(edited(form), sending.signal);
    dialog.close();
    location.hash = id;
  } catch (error) {
    if (!sending.signal.aborted) problem.textContent = error.message;
  } finally {
    event.submitter.disabled = false;
  }
}

function edited(form) {
  const lines = form.headers.value.split("\n").filter(line => line.trim());
  const headers = lines.map(line => [line.split(":", 1)[0].trim(), line.slice(line.indexOf(":") + 1).trim()]);
  return {
    method: form.method.value,
    path: form.path.value,
    headers: Object.fromEntries(headers),
    body: form.body.value === form.sent.shown ? form.sent.body : form.body.value,
    role: form.role.value || null,
  };
}
