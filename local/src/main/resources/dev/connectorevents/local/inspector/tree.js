// What both pages are made of. lit-html adds all that comes from a request as text, never as markup.

import { html, nothing, render } from "./lit-html/lit-html.js";

const MOST_CHILDREN = 500;
const MOST_STRING = 300; // characters of a value
const MOST_TEXT = 200_000; // characters that a browser shows without a delay
const SIGNS = { replayed: "↻", refused: "✕", failed: "✕", ignored: "!", erased: "∅" };

/** What became of a request or an event: a sign and a word, so that nobody needs the colour. */
export const note = ({ meaning, word = meaning, detail }) =>
  html`<span class="note ${meaning}"><b><i aria-hidden="true">${SIGNS[meaning]}</i> ${word}</b> ${detail}</span> `;

export const button = (text, onclick) => html`<button type="button" @click=${onclick}>${text}</button>`;

export const section = (title, isOpen, content) =>
  html`<details ?open=${isOpen}><summary>${title}</summary>${content}</details>`;

/** The text of an answer. The API says in `detail` what is wrong, the inspector in `message`. */
export async function getText(path) {
  const answer = await fetch(path);
  const text = await answer.text();
  if (answer.ok) return text;
  const problem = parse(text);
  throw new Error(problem?.detail ?? problem?.message ?? `status ${answer.status}`);
}

/** Where digits are no longer a number of JavaScript: JSON keeps each number as it was written. */
class WrittenNumber {
  constructor(source) {
    this.source = source;
  }

  toString() {
    return this.source;
  }
}

/** JSON as objects; undefined if the text is not JSON. */
export function parse(text) {
  try {
    return JSON.parse(text, (_, value, context) =>
      typeof value === "number" && context ? new WrittenNumber(context.source) : value,
    );
  } catch {
    return undefined;
  }
}

/** A long text is cut. A button shows all of it. */
function cut(text, most = MOST_STRING) {
  if (text.length <= most) return text;
  const start = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, ""); // no half of a character
  const showAll = event => event.target.replaceWith(text.slice(start.length));
  return html`${start}${button(`… all ${text.length} characters`, showAll)}`;
}

export function names(members) {
  const shown = Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
  return html`<dl>${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${cut(String(value))}</dd>`)}</dl>`;
}

export const jsonOrText = text => (parse(text) === undefined ? exactText(text) : tree(parse(text)));

/** The place that an error names by line and column is marked. */
export function exactText(text, error = "") {
  const [, line, column] = error.match(/line (\d+), column (\d+)/) ?? [];
  const start = line ? text.split(/(?<=\r\n|\r(?!\n)|\n)/).slice(0, line - 1).join("").length + Number(column) - 1 : text.length;
  const end = start < text.length ? start + 1 : start;
  const mark = line ? html`<mark title=${error}>${text.slice(start, end)}</mark>` : nothing;
  return html`<pre tabindex="0" role="region" aria-label="exact text"
    >${cut(text.slice(0, start), MOST_TEXT)}${mark}${cut(text.slice(end), MOST_TEXT)}</pre>`;
}

const parent = pointer => pointer.slice(0, pointer.lastIndexOf("/"));
const nameIn = pointer => pointer.slice(pointer.lastIndexOf("/") + 1).replaceAll("~1", "/").replaceAll("~0", "~");

/** The shown member, or what should contain it. */
export function nearest(within, pointer) {
  const shown = within.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`);
  return shown ?? (pointer ? nearest(within, parent(pointer)) : null);
}

/**
 * A value that unfolds.
 *
 * @param name of the member
 * @param pointer to it (RFC 6901)
 * @param marks the pointers of the members to mark, also of missing ones
 */
export function tree(value, { name, pointer = "", marks = [], depth = 0 } = {}) {
  const label = name === undefined ? nothing : html`<b>${name}</b>: `;
  const marked = content => (marks.includes(pointer) ? html`<mark>${content}</mark>` : content);
  if (value === null || typeof value !== "object" || value instanceof WrittenNumber) {
    const text = value instanceof WrittenNumber ? value.source : JSON.stringify(value);
    return html`<div class="leaf" data-pointer=${pointer}>${marked(html`${label}${cut(text)}`)}</div>`;
  }
  const members = Object.entries(value);
  const missing = marks.filter(each => each && parent(each) === pointer && !(nameIn(each) in value));
  const child = ([key, each]) =>
    tree(each, {
      name: key,
      pointer: `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      marks,
      depth: depth + 1,
    });
  const children = () => html`${members.slice(0, MOST_CHILDREN).map(child)}
    ${missing.map(each => html`<div data-pointer=${each}><mark>${nameIn(each)}: missing</mark></div>`)}
    ${members.length > MOST_CHILDREN ? html`<p>… ${members.length - MOST_CHILDREN} more: see the exact text</p>` : nothing}`;
  const size = Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`;
  const isOpen = depth < 2 || marks.some(each => each.startsWith(`${pointer}/`));
  return html`<details class="tree" data-pointer=${pointer} ?open=${isOpen} @toggle=${filledWith(children)}
    ><summary>${marked(html`${label}<small>${size}</small>`)}</summary><div></div></details>`;
}

/** Fills what unfolds when it unfolds: a payload may have a million members. */
export const filledWith = content => event => render(content(), event.target.lastElementChild);
