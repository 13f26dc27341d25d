// The page of the stored events: the API's own list, newest first.

import { byId, element, exactText, get, getText, jsonOrText, names, note, parse, section, tree } from "./elements.js";
import { close, filter, list, opened, openWith, select } from "./panel.js";

let asked = 0; // the number of the last list that was asked for

/** The parameters of the list. An erased event has no brand, so the API lists none with a brand. */
function parameters() {
  const chosen = new URLSearchParams([...new FormData(filter)].filter(([, value]) => value));
  if (!chosen.has("brand_id")) chosen.set("include", "erasures");
  return chosen;
}

/** Adds a page to the list. */
async function load(query, cursor) {
  const current = ++asked;
  byId("more").hidden = true;
  byId("problem").textContent = "";
  byId("state").textContent = "reading";
  try {
    const page = await get(`events?${new URLSearchParams([...query, ...(cursor ? [["cursor", cursor]] : [])])}`);
    if (current === asked) add(page, query);
  } catch (error) {
    if (current !== asked) return;
    byId("problem").textContent = error.message;
    byId("state").textContent = "";
  }
}

function add({ events, next }, query) {
  list.append(...events.map(rowElement));
  const count = list.children.length;
  byId("state").textContent = `${count} listed${next ? ", and more to show" : ""}`;
  byId("more").hidden = !next;
  byId("more").onclick = () => load(query, next);
  byId("empty").hidden = count > 0 || Boolean(next);
  select();
}

function rowElement({ id, event_type, status, created_at, erased_at }) {
  const cell = (className, ...content) => element("td", { className }, ...content);
  const title = erased_at ? note({ meaning: "erased" }) : event_type;
  const made = element(
    "tr",
    { onclick: () => (location.hash = id) },
    cell("event", element("a", { href: `#${id}`, className: "type" }, title), element("small", {}, id)),
    cell("state", status ?? ""),
    cell("created", created_at ?? erased_at),
  );
  made.dataset.id = id;
  return made;
}

function restart() {
  const query = parameters();
  const address = new URLSearchParams(query);
  address.delete("include");
  history.replaceState(null, "", `?${address}${location.hash}`);
  list.replaceChildren();
  byId("empty").hidden = true;
  byId("brand-note").hidden = !query.has("brand_id");
  load(query);
}

function show(text) {
  const { payload, response, ...members } = parse(text);
  opened.replaceChildren(
    element("h2", { id: "title" }, members.event_type),
    element("p", { className: "request" }, `GET /api/webhook-events/${members.id}`),
    element("div", { className: "actions" }, element("button", { type: "button", onclick: close }, "Close")),
    names({ ...Object.fromEntries(Object.entries(members).map(written)), brand_id: payload._meta?.brand_id }),
    section("Payload", true, tree(payload, { depth: 0 })),
    ...(response === undefined ? [] : [section("Response", false, ...jsonOrText(response))]),
    section("Event, exact text", false, ...exactText(text, [])),
  );
}

const written = ([name, value]) => [name, value?.source ?? value];

filter.addEventListener("submit", event => {
  event.preventDefault();
  restart();
});
filter.addEventListener("reset", () => setTimeout(restart)); // after the fields are empty

for (const [name, value] of new URLSearchParams(location.search)) {
  if (filter.elements[name]) filter.elements[name].value = value;
}
restart();
openWith(id => getText(`events/${id}`), "No event to show", show);
