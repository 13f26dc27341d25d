// The page of the requests.

import { curl, edit, post, sendAgain } from "./editor.js";
import {
  byId, element, exactText, exactTime, get, jsonOrText, names, note, parent, parse, section, statusText, timeElement, tree,
} from "./elements.js";
import { close, filter, list, opened, openWith, select } from "./panel.js";

const MOST_ROWS = 500; // as many as the server keeps

const rows = new Map(); // by id, oldest first; each with its element
let waiting = []; // arrived, but not yet in the list
let notBefore = 0; // when the next rows may be added
let adding = 0; // the timer for that
let matches = null; // ids of the requests that contain the text to search for
let run = ""; // the process that has sent the rows
const searchable = new WeakMap(); // the text of each event of a batch, by its element
let restart = ""; // when another process took over

// ---- the list

/** The broken rules; only a refusal and a batch have any. */
function faults(outcome) {
  return outcome.faults ?? [];
}

function rowElement(row) {
  const { exchange, event, stored, text, hints } = row;
  const cell = (className, ...content) => element("td", { className }, ...content);
  const request = element("small", { title: `${exchange.method} ${exchange.path}` }, text.request ?? "");
  const made = element(
    "tr",
    { onclick: () => (location.hash = exchange.id) },
    cell("status", statusText(exchange.status)),
    cell("event", element("a", { href: `#${exchange.id}`, className: event.type ? "type" : "" }, text.lead), request),
    cell("outcome", ...[...text.outcome, ...hints].map(note)),
    cell("brand", event.brand ?? ""),
    cell("sent", text.sent ?? ""),
    cell("stored", text.stored ?? ""),
    cell("units", stored ? String(stored.writeUnits) : ""),
    cell("took", exchange.milliseconds.toFixed(0)),
    cell("when", timeElement(exchange.receivedAt)),
  );
  made.dataset.id = exchange.id;
  return made;
}

function add(arrived) {
  const elements = document.createDocumentFragment();
  for (const row of arrived.slice(-MOST_ROWS)) {
    const tr = rowElement(row);
    rows.set(row.exchange.id, { row, tr });
    tr.hidden = !isShown(row);
    elements.prepend(tr);
  }
  list.prepend(elements);
  for (const [id, { tr }] of rows) {
    if (rows.size <= MOST_ROWS) break;
    tr.remove();
    rows.delete(id);
  }
  suggest();
  select();
  if (filter.text.value && !search) searchSoon();
}

function suggest() {
  for (const [name, options] of [["type", "types"], ["brand", "brands"]]) {
    const list = byId(options);
    const shown = new Set([...list.children].map(option => option.value));
    const values = new Set([...rows.values()].map(({ row }) => row.event[name]).filter(Boolean));
    list.append(...[...values].filter(value => !shown.has(value)).map(value => element("option", { value })));
  }
}

/** Whether a text contains what is searched for, in any case. */
function contains(text = "", { value }) {
  return text.toLowerCase().includes(value.toLowerCase());
}

function isShown({ exchange, event }) {
  const { type, brand, status } = filter;
  return (
    contains(event.type, type) &&
    contains(event.brand, brand) &&
    String(exchange.status).startsWith(status.value) &&
    (matches === null || matches.has(exchange.id))
  );
}

function applyFilter() {
  for (const { row, tr } of rows.values()) tr.hidden = !isShown(row);
  markFound();
  showState();
}

function showState() {
  const shown = [...rows.values()].filter(({ tr }) => !tr.hidden).length;
  const all = rows.size === shown ? "" : ` of ${rows.size}`;
  const paused = isPaused() ? `; paused, ${waiting.length} waiting` : "";
  byId("state").textContent = `${shown}${all} requests${restart}${paused}`;
  byId("empty").hidden = rows.size > 0;
  byId("no-hits").hidden = rows.size === 0 || shown > 0;
}

let search = 0;
function searchSoon() {
  clearTimeout(search);
  search = setTimeout(async () => {
    search = 0;
    const text = filter.text.value;
    const found = text ? new Set(await get(`search?${encodeURIComponent(text)}`)) : null;
    if (text === filter.text.value) {
      matches = found;
      applyFilter();
    }
  }, 200);
}

filter.addEventListener("input", event => (event.target === filter.text ? searchSoon() : applyFilter()));
filter.addEventListener("reset", () => setTimeout(searchSoon)); // after the fields are empty
filter.addEventListener("submit", event => event.preventDefault());

const isPaused = () => byId("pause").getAttribute("aria-pressed") === "true";
byId("pause").addEventListener("click", () => {
  byId("pause").setAttribute("aria-pressed", String(!isPaused()));
  receive([]);
});

function receive(arrived) {
  waiting = [...waiting, ...arrived].slice(-MOST_ROWS);
  clearTimeout(adding);
  const wait = notBefore - performance.now();
  if (isPaused()) {
    showState();
  } else if (wait > 0) {
    adding = setTimeout(() => receive([]), wait);
  } else {
    addWaiting();
  }
}

/** Under load, the list takes at most a fifth of the time. The rest is for the user. */
function addWaiting() {
  const start = performance.now();
  add(waiting);
  waiting = [];
  showState();
  requestAnimationFrame(() =>
    setTimeout(() => (notBefore = performance.now() + 4 * (performance.now() - start))),
  );
}

function connect() {
  const stream = new EventSource("stream");
  stream.onopen = showState;
  stream.onerror = () => (byId("state").textContent = "not connected: is local/serve running?");
  stream.onmessage = message => {
    const sender = message.lastEventId.split(" ")[0];
    if (run && sender !== run) forget();
    run = sender;
    receive(JSON.parse(message.data));
  };
}

/** After a restart, local/serve knows none of the rows. */
function forget() {
  restart = ` since the restart at ${exactTime(Date.now())}`;
  rows.clear();
  waiting = [];
  matches = null;
  list.replaceChildren();
  close();
}

// ---- one request

function show(request) {
  const { row } = request;
  const { status, method, path, receivedAt } = row.exchange;
  const words = row.text.outcome.map(({ meaning, word }) => note({ meaning, word }));
  const isExplained = row.outcome.code !== undefined || row.outcome.events !== undefined;
  opened.replaceChildren(
    element("h2", { id: "title" }, statusText(status), ` ${row.text.lead}`),
    element("p", { className: "request" }, `${method} ${path}`),
    element("p", { className: "outcome" }, ...words, timeElement(receivedAt)),
    element(
      "div",
      { className: "actions" },
      ...(request.isMasked ? [] : sendButton("Send again", () => sendAgain(request))),
      element("button", { type: "button", onclick: () => edit(request) }, "Edit and send again"),
      copyButton(request),
      element("button", { type: "button", onclick: close }, "Close"),
    ),
    ...problems(row),
    names(facts(row)),
    ...(request.body ? bodySections(request, parse(request.body)) : []),
    section("Request headers", false, names(request.headers)),
    section("Answer", !isExplained, names(request.answerHeaders), ...jsonOrText(request.answer)),
    section("Log", false, ...request.log.flatMap(jsonOrText)),
  );
  markFound();
  opened.querySelector("summary > mark")?.scrollIntoView({ block: "center" });
}

/** A button that sends a request and opens it, with a place beside it for why that failed. */
function sendButton(text, send) {
  const problem = element("span", { className: "failure", role: "alert" });
  const button = element("button", { type: "button", className: "primary" }, text);
  button.onclick = async () => {
    button.disabled = true;
    problem.textContent = "";
    try {
      location.hash = await send();
    } catch (error) {
      problem.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  };
  return [button, problem];
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
function problems({ outcome, error, hints, text }) {
  const box = (meaning, ...children) => element("div", { className: `problem ${meaning}` }, ...children);
  const boxes = hints.map(hint => box(hint.meaning, note(hint)));
  if (error) boxes.unshift(box("failed", note({ meaning: "failed", word: "error", detail: error })));
  if (outcome.code !== undefined) {
    const detail = outcome.faults.length > 0 ? "" : ` ${outcome.detail}`;
    boxes.unshift(box(text.outcome[0].meaning, element("code", {}, outcome.code), detail, rules(outcome.faults)));
  }
  return boxes;
}

function rules(broken) {
  const items = broken.map(({ pointer, detail }) => {
    const show = () => nearest(pointer)?.scrollIntoView({ block: "center" });
    const place = element("button", { type: "button", onclick: show }, pointer || "body");
    return element("li", {}, place, ` ${detail}`);
  });
  return element("ul", {}, ...items);
}

/** The shown member, or what should contain it. */
function nearest(pointer) {
  const shown = opened.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`);
  return shown ?? (pointer ? nearest(parent(pointer)) : null);
}

function bodySections(request, body) {
  const sections = [];
  const { outcome } = request.row;
  const marks = new Set(faults(outcome).map(fault => fault.pointer));
  if (outcome.events && Array.isArray(body?.events)) {
    const results = parse(request.answer)?.results ?? [];
    const events = outcome.events.map((meaning, index) =>
      batchEvent(meaning, body.events[index], results[index], faults(outcome), { pointer: `/events/${index}`, marks, depth: 1 }),
    );
    sections.push(section("Events", true, ...events));
  } else if (body !== undefined) {
    sections.push(section("Body", true, tree(body, { pointer: "", marks, depth: 0 })));
    const meta = body?.payload?._meta;
    if (request.row.event.type && body?.payload) {
      const none = "Not sent. The service appends one to the stored payload.";
      sections.push(section("_meta", true, meta === undefined ? element("p", {}, none) : tree(meta, { depth: 0 })));
    }
  }
  sections.push(section("Body, exact text", body === undefined, ...exactText(request.body, request.faultPlaces)));
  return sections;
}

/** One event of a batch. It opens into its rules and its members. */
function batchEvent(meaning, event, result, allFaults, place) {
  const broken = allFaults.filter(({ pointer }) => `${pointer}/`.startsWith(`${place.pointer}/`));
  const type = element("span", { className: "type" }, String(event?.event_type ?? "no event type"));
  const key = element("small", {}, String(event?.idempotency_key ?? ""));
  const made = element(
    "details",
    { className: "event", open: broken.length > 0 },
    element("summary", {}, note({ meaning }), " ", type, " ", key),
    rules(broken),
  );
  made.addEventListener("toggle", () => made.querySelector(".tree") ?? made.append(tree(event, place)));
  searchable.set(made, JSON.stringify([event, result]));
  return made;
}

/** Marks the events of an open batch that contain the text to search for. */
function markFound() {
  for (const event of opened.querySelectorAll("details.event")) {
    event.querySelector("summary > mark")?.remove();
    const isFound = filter.text.value !== "" && contains(searchable.get(event), filter.text);
    if (isFound) event.querySelector("summary").append(" ", element("mark", {}, "found"));
  }
}

function copyButton(request) {
  const button = element("button", { type: "button" }, "Copy as curl");
  button.onclick = async () => {
    await navigator.clipboard.writeText(curl(request));
    button.textContent = "Copied";
  };
  return button;
}

byId("empty").append(...sendButton("Send an example", () => post("example")));
connect();
openWith(id => get(`requests/${id}`), "Not kept", show);
