// What both pages are made of. Everything that comes from a request is added as text, never as markup.

const MOST_CHILDREN = 500;
const MOST_TEXT = 200_000; // characters that a browser shows without a delay
const UNITS = [[86_400, "d"], [3600, "h"], [60, "min"], [1, "s"]]; // of ages, in seconds
const MOST_STRING = 300; // characters of a value

export const byId = id => document.getElementById(id);

export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** In UTC, as the service writes times. */
export const exactTime = instant => new Date(instant).toISOString();

function age(instant) {
  const seconds = Math.floor((Date.now() - Date.parse(instant)) / 1000);
  const unit = UNITS.find(([size]) => seconds >= size);
  return unit ? `${Math.floor(seconds / unit[0])} ${unit[1]} ago` : "now";
}

export function timeElement(instant) {
  return element("time", { dateTime: instant, title: exactTime(instant) }, age(instant));
}

setInterval(() => {
  for (const time of document.querySelectorAll("time")) {
    const text = age(time.dateTime);
    if (time.textContent !== text) time.textContent = text;
  }
}, 1000);

/** What became of a request or an event: a word whose look has its meaning, and why. */
export function note({ meaning, word = meaning, detail }) {
  const made = element("span", { className: `note ${meaning}` }, element("b", {}, word));
  if (detail) made.append(" ", element("span", {}, detail));
  return made;
}

export function statusText(status) {
  return element("span", { className: `status s${String(status)[0]}` }, String(status));
}

/** The text of an answer. The API says in `detail` what is wrong, the inspector in `message`. */
export async function getText(path) {
  const answer = await fetch(path);
  const text = await answer.text();
  if (answer.ok) return text;
  const problem = parse(text);
  throw new Error(problem?.detail ?? problem?.message ?? `status ${answer.status}`);
}

export const get = async path => JSON.parse(await getText(path));

export const parent = pointer => pointer.slice(0, pointer.lastIndexOf("/"));
export const nameIn = pointer => pointer.slice(pointer.lastIndexOf("/") + 1).replaceAll("~1", "/").replaceAll("~0", "~");

export function section(title, isOpen, ...children) {
  return element("details", { open: isOpen }, element("summary", {}, title), ...children);
}

/** A long text is cut. A button shows all of it. */
function shortened(text) {
  if (text.length <= MOST_STRING) return [text];
  const start = text.slice(0, MOST_STRING).replace(/[\uD800-\uDBFF]$/, ""); // no half of a character
  const all = element("button", { type: "button", className: "more" }, `… all ${text.length} characters`);
  all.onclick = () => all.replaceWith(text.slice(start.length));
  return [start, all];
}

export function names(object) {
  const pairs = Object.entries(object).filter(([, value]) => value !== undefined && value !== null);
  return element(
    "dl",
    { className: "names" },
    ...pairs.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, ...shortened(String(value)))]),
  );
}

export function jsonOrText(text) {
  const json = parse(text);
  return json === undefined ? exactText(text, []) : [tree(json, { depth: 0 })];
}

/** JSON as objects, with each number as it was written; undefined if the text is not JSON. */
export function parse(text) {
  try {
    return JSON.parse(text, (_, value, context) =>
      typeof value === "number" && context ? new WrittenNumber(context.source) : value,
    );
  } catch {
    return undefined;
  }
}

class WrittenNumber {
  constructor(source) {
    this.source = source;
  }

  /** The digits as they were written, if the browser can. */
  toJSON() {
    return JSON.rawJSON?.(this.source) ?? this.source;
  }
}

export function tree(value, { name, pointer, marks = new Set(), depth }) {
  const label = name === undefined ? [] : [element("span", { className: "name" }, name), ": "];
  const marked = parts => (marks.has(pointer) ? [element("mark", {}, ...parts)] : parts);
  const isLeaf = value === null || typeof value !== "object" || value instanceof WrittenNumber;
  if (isLeaf) {
    const text = value instanceof WrittenNumber ? value.source : JSON.stringify(value);
    const leaf = element("span", { className: typeof value === "string" ? "string" : "" }, ...shortened(text));
    return withPointer(element("div", { className: "tree leaf" }, ...marked([...label, leaf])), pointer);
  }
  const children = Object.entries(value);
  const missing = [...marks].filter(each => each && parent(each) === pointer && !(nameIn(each) in value));
  const size = Array.isArray(value) ? `[${children.length}]` : `{${children.length}}`;
  const summary = element("summary", {}, ...marked([...label, element("span", { className: "size" }, size)]));
  const branch = element("details", { className: "tree" }, summary);
  const fill = () => {
    if (!branch.open || branch.children.length > 1) return;
    for (const [key, child] of children.slice(0, MOST_CHILDREN)) {
      const place = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      branch.append(tree(child, { name: key, pointer: place, marks, depth: depth + 1 }));
    }
    for (const each of missing) {
      const absent = element("div", { className: "tree leaf" }, element("mark", {}, `${nameIn(each)}: missing`));
      branch.append(withPointer(absent, each));
    }
    if (children.length > MOST_CHILDREN) {
      branch.append(element("p", {}, `… ${children.length - MOST_CHILDREN} more: see the exact text`));
    }
  };
  branch.addEventListener("toggle", fill);
  branch.open = depth < 2 || [...marks].some(each => each.startsWith(`${pointer}/`));
  fill();
  return withPointer(branch, pointer);
}

export function withPointer(node, pointer) {
  if (pointer !== undefined) node.dataset.pointer = pointer;
  return node;
}

export function exactText(text, faultPlaces) {
  const shown = text.length > MOST_TEXT ? text.slice(0, MOST_TEXT) : text;
  const pre = element("pre", { tabIndex: 0 });
  pre.setAttribute("role", "region");
  pre.setAttribute("aria-label", "exact text");
  let end = 0;
  const places = faultPlaces.filter(each => each.end <= shown.length).sort((a, b) => a.start - b.start);
  for (const place of places) {
    const mark = element("mark", { title: place.detail }, shown.slice(place.start, place.end));
    pre.append(shown.slice(end, place.start), mark);
    end = place.end;
  }
  pre.append(shown.slice(end));
  if (shown === text) return [pre];
  const all = element("button", { type: "button" }, `Show all ${text.length} characters`);
  all.onclick = () => {
    pre.append(text.slice(MOST_TEXT));
    all.remove();
  };
  return [pre, all];
}

