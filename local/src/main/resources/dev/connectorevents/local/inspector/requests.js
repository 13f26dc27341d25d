// The page of the requests, as they arrive.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { repeat } from "./lit-html/directives/repeat.js";
import { curl, edit, post, sendAgain } from "./editor.js";
import { byId, close, current, open, openWith } from "./panel.js";
import {
  button, exactText, filledWith, getText, jsonOrText, names, nearest, note, parse, section, tree,
} from "./tree.js";

const MOST_ROWS = 500; // as many as the server keeps
const EXAMPLE = {
  method: "POST",
  path: "/api/webhook-events",
  headers: { "Content-Type": "application/json" },
  body: '{"event_type":"shopify.orders/create","payload":{"id":1,"total_price":"9.50","_meta":{"brand_id":"1"}}}',
  role: "connector",
};
const COLUMNS = ["Status", "Event", "Outcome", "Brand", "Sent", "Stored", "Write units", "ms", "At"];

const filter = byId("filter");
let rows = []; // newest first

// ---- the list

const exactTime = instant => new Date(instant).toISOString(); // in UTC, as the service writes times

function rowOf({ exchange, event, stored, text, hints }) {
  const { id, status, method, path, milliseconds, receivedAt } = exchange;
  return html`<tr data-id=${id} aria-current=${current(id)} @click=${open(id)}>
    <td class="s${String(status)[0]}">${status}</td>
    <td><a href="#${id}">${text.lead}</a> <small title="${method} ${path}">${text.request}</small></td>
    <td>${[...text.outcome, ...hints].map(note)}</td>
    <td>${event.brand}</td>
    <td>${text.sent}</td>
    <td>${text.stored}</td>
    <td>${stored?.writeUnits}</td>
    <td>${milliseconds.toFixed(0)}</td>
    <td><time title=${exactTime(receivedAt)}>${new Date(receivedAt).toTimeString().slice(0, 8)}</time></td>
  </tr>`;
}

/** Whether the row itself has the text, in any case: its type, brand, key, path, broken rules. */
function isShown(row) {
  const [text, status] = [filter.text.value.toLowerCase(), filter.status.value];
  return String(row.exchange.status).startsWith(status) && JSON.stringify(row).toLowerCase().includes(text);
}

function showList() {
  const shown = rows.filter(isShown);
  const all = shown.length === rows.length ? "" : ` of ${rows.length}`;
  byId("state").textContent = `${shown.length}${all} requests`;
  const isEmpty = rows.length === 0;
  render(
    html`<table ?hidden=${isEmpty}>
        <thead><tr>${COLUMNS.map(name => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${repeat(shown, ({ exchange }) => exchange.id, rowOf)}</tbody>
      </table>
      ${isEmpty ? html`<h2>No requests yet</h2>
        <p>Send an event with the <code>curl</code> that <code>local/serve</code> has printed, or send an example.</p>
        ${sendButton("Send an example", () => post(EXAMPLE))}` : nothing}
      ${isEmpty || shown.length > 0 ? nothing : html`<p id="no-hits">No request matches the filter.
        <button type="reset" form="filter">Show all</button></p>`}`,
    byId("list"),
  );
}

function connect() {
  const stream = new EventSource("stream"); // connects again by itself
  stream.onopen = () => {
    rows = []; // the first message brings all that are kept
    showList();
  };
  stream.onerror = () => (byId("state").textContent = "not connected: is local/serve running?");
  let frame = 0; // under load, one frame shows what several messages have brought
  stream.onmessage = message => {
    rows = [...JSON.parse(message.data).toReversed(), ...rows].slice(0, MOST_ROWS);
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(showList);
  };
}

// ---- one request

async function opened(id) {
  const request = JSON.parse(await getText(`requests/${id}`));
  const { row } = request;
  const { status, method, path } = row.exchange;
  const isExplained = row.outcome.code !== undefined || row.outcome.events !== undefined;
  return html`<h2 id="title"><span class="s${String(status)[0]}">${status}</span> ${row.text.lead}</h2>
    <p>${method} ${path}</p>
    <p class="outcome">${row.text.outcome.map(({ meaning, word }) => note({ meaning, word }))}</p>
    <div role="group">
      ${request.isMasked ? nothing : sendButton("Send again", () => sendAgain(request))}
      ${button("Edit and send again", () => edit(request))}
      ${button("Copy as curl", event => copy(event.target, request))}
      ${button("Close", close)}
    </div>
    ${problems(row)}
    ${names(facts(row))}
    ${request.body ? bodyOf(request, parse(request.body)) : nothing}
    ${section("Request headers", false, names(request.headers))}
    ${section("Answer", !isExplained, html`${names(request.answerHeaders)}${jsonOrText(request.answer)}`)}
    ${section("Log", false, request.log.map(jsonOrText))}`;
}

/** A button that sends a request and opens it, with a place after it for why that failed. */
function sendButton(text, send) {
  const click = async ({ target }) => {
    target.disabled = true;
    try {
      location.hash = await send();
    } catch (error) {
      render(error.message, target.nextElementSibling);
    } finally {
      target.disabled = false;
    }
  };
  return html`${button(text, click)}<span role="alert"></span>`;
}

async function copy(target, request) {
  await navigator.clipboard.writeText(curl(request));
  target.textContent = "Copied";
}

function facts({ exchange, event, outcome, stored, text }) {
  const parts = stored?.items > 1 ? ` in ${stored.items} items` : "";
  return {
    Received: exactTime(exchange.receivedAt),
    Took: `${exchange.milliseconds} ms`,
    Event: outcome.eventId,
    Key: event.key,
    Sent: text.sent,
    Stored: stored && `${text.stored}${parts}`,
    "Write units": stored && `${stored.writeUnits} of the table`,
    Brand: event.brand,
  };
}

/** Why the request was refused or failed, and what the service ignored. Each event of a batch has its own rules. */
function problems({ outcome: { code, detail, faults }, error, hints, text }) {
  return html`${code === undefined ? nothing : html`<blockquote class="note ${text.outcome[0].meaning}">
      <code>${code}</code> ${faults.length > 0 ? rules(faults) : detail}</blockquote>`}
    ${error ? html`<blockquote>${note({ meaning: "failed", word: "error", detail: error })}</blockquote>` : nothing}
    ${hints.map(hint => html`<blockquote>${note(hint)}</blockquote>`)}`;
}

function rules(broken) {
  const show = pointer => () => nearest(byId("opened"), pointer)?.scrollIntoView({ block: "center" });
  const item = ({ pointer, detail }) => html`<li>${button(pointer || "body", show(pointer))} ${detail}</li>`;
  return html`<ul>${broken.map(item)}</ul>`;
}

function bodyOf({ row: { exchange, outcome }, answer, body, isMasked }, json) {
  const faults = outcome.faults ?? []; // only a refusal and a batch have any
  const marks = faults.map(fault => fault.pointer);
  const results = outcome.events && Array.isArray(json?.events) ? parse(answer)?.results ?? [] : null;
  const malformed = exchange.status === 400 && !isMasked ? outcome.detail : "";
  return html`${results ? section("Events", true, results.map((result, index) =>
      eventOf(outcome.events[index], json.events[index], faults, { pointer: `/events/${index}`, marks, depth: 1 })))
    : json === undefined ? nothing : section("Body", true, tree(json, { marks }))}
    ${section("Body, exact text", json === undefined, exactText(body, malformed))}`;
}

/** One event of a batch. It unfolds into its rules and its members. */
function eventOf(meaning, event, allFaults, place) {
  const broken = allFaults.filter(({ pointer }) => `${pointer}/`.startsWith(`${place.pointer}/`));
  return html`<details class="event" ?open=${broken.length > 0} @toggle=${filledWith(() => tree(event, place))}>
    <summary>${note({ meaning })}<b>${event?.event_type ?? "no event type"}</b> <small>${event?.idempotency_key}</small></summary>
    ${rules(broken)}<div></div></details>`;
}

render(
  html`<label>Search <kbd>/</kbd> <input name="text" type="search" aria-keyshortcuts="/" placeholder="type, brand, key, rule"></label>
    <label>Status <select name="status">
      <option value="">all</option><option value="2">2xx</option><option value="4">4xx</option><option value="5">5xx</option>
    </select></label>
    <button type="reset">Clear</button>`,
  filter,
);
filter.addEventListener("input", showList);
filter.addEventListener("reset", () => setTimeout(showList)); // after the fields are empty
filter.addEventListener("submit", event => event.preventDefault());
byId("list").setAttribute("aria-label", "Requests, newest first");
byId("state").textContent = "connecting";
connect();
openWith(opened, showList);
