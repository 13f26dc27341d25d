// The page of the stored events: the API's own list, newest first, read again as events arrive.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { byId, close, current, open, openWith } from "./panel.js";
import { button, exactText, getText, jsonOrText, names, note, parse, section, tree } from "./tree.js";

const READ_AGAIN = 2000; // milliseconds

const filter = byId("filter");
let events = [];
let next; // the cursor of the page that follows
let asked = 0; // the number of the last list that was asked for
let isFirstPage = true; // only that is read again
let problem = "";

/** An erased event has no brand, so the API lists none with a brand. */
function query() {
  const chosen = new URLSearchParams([...new FormData(filter)].filter(([, value]) => value));
  if (!chosen.has("brand_id")) chosen.set("include", "erasures");
  return chosen;
}

async function load(cursor) {
  const number = ++asked;
  const asks = query();
  if (cursor) asks.set("cursor", cursor);
  let page = { events: [] };
  let failure = "";
  try {
    page = JSON.parse(await getText(`events?${asks}`));
  } catch (error) {
    failure = error.message;
  }
  if (number !== asked) return;
  events = cursor ? [...events, ...page.events] : page.events;
  ({ next } = page);
  isFirstPage = !cursor;
  problem = failure;
  showList();
}

function rowOf({ id, event_type, status, created_at, erased_at }) {
  return html`<tr data-id=${id} aria-current=${current(id)} @click=${open(id)}>
    <td><a href="#${id}">${erased_at ? note({ meaning: "erased" }) : event_type}</a> <small>${id}</small></td>
    <td>${status}</td>
    <td>${created_at ?? erased_at}</td>
  </tr>`;
}

function showList() {
  const withBrand = query().has("brand_id");
  byId("state").textContent = problem ? "" : `${events.length} listed${next ? ", and more to show" : ""}`;
  render(
    html`<p role="alert">${problem}</p>
      ${withBrand ? html`<p>Erased events have no brand. Clear the filter to see them.</p>` : nothing}
      <table class="stored">
        <thead><tr><th scope="col">Event</th><th scope="col">Status</th><th scope="col">Created or erased</th></tr></thead>
        <tbody>${events.map(rowOf)}</tbody>
      </table>
      ${events.length > 0 || next || problem ? nothing : html`<p>No stored event matches.</p>`}
      ${next ? button("Show more", () => load(next)) : nothing}`,
    byId("list"),
  );
}

async function opened(id) {
  const text = await getText(`events/${id}`);
  const { payload, response, ...members } = parse(text);
  return html`<h2 id="title">${members.event_type}</h2>
    <p>GET /api/webhook-events/${id}</p>
    ${button("Close", close)}
    ${names({ ...members, brand_id: payload._meta?.brand_id })}
    ${section("Payload", true, tree(payload))}
    ${response === undefined ? nothing : section("Response", false, jsonOrText(response))}
    ${section("Event, exact text", false, exactText(text))}`;
}

const given = new URLSearchParams(location.search);
render(
  html`<label>Type <kbd>/</kbd> <input name="event_type" autocomplete="off" spellcheck="false"
      aria-keyshortcuts="/" placeholder="shopify.*,github.push" .value=${given.get("event_type") ?? ""}></label>
    <label>Brand <input name="brand_id" autocomplete="off" spellcheck="false" .value=${given.get("brand_id") ?? ""}></label>
    <button type="submit">List</button>
    <button type="reset">Clear</button>`,
  filter,
);
filter.addEventListener("submit", event => {
  event.preventDefault();
  load();
});
filter.addEventListener("reset", () => setTimeout(load)); // after the fields are empty
byId("list").setAttribute("aria-label", "Stored events, newest first");
openWith(opened, showList);
load();
setInterval(() => document.hidden || !isFirstPage || problem || load(), READ_AGAIN);
