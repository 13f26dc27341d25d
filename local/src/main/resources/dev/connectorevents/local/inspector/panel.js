// The list and, beside it, the panel. The panel shows the row whose id is the address's fragment.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { button } from "./tree.js";

export const byId = id => document.getElementById(id);
const list = byId("list");
const opened = byId("opened");
const filter = byId("filter");

for (const link of document.querySelectorAll("nav a")) {
  if (link.pathname === location.pathname) link.setAttribute("aria-current", "page");
}

/** The attribute of a row that the panel shows. */
export const current = id => (location.hash === `#${id}` ? "true" : nothing);

export const open = id => () => (location.hash = id);

export function close() {
  if (opened.hidden) return;
  const last = list.querySelector("[aria-current] a");
  if (opened.contains(document.activeElement)) list.focus();
  location.hash = "";
  last?.focus();
}

/**
 * Opens what the fragment names, now and whenever it changes.
 *
 * @param view reads it by its id, and returns the panel's content
 * @param showList shows the list anew, since another row is open
 */
export function openWith(view, showList) {
  const show = async () => {
    const id = location.hash.slice(1);
    showList();
    opened.hidden = !id;
    if (!id) return;
    let content;
    try {
      content = await view(id);
    } catch (error) {
      content = html`<h2 id="title">Nothing to show</h2><p>${error.message}</p>${button("Close", close)}`;
    }
    if (id !== location.hash.slice(1)) return;
    render(nothing, opened);
    render(content, opened);
    opened.scrollTop = 0;
    opened.focus({ preventScroll: true });
  };
  window.addEventListener("hashchange", show);
  show();
}

list.addEventListener("keydown", event => {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  if (!step) return;
  event.target.closest("tr")?.[step]?.querySelector("a").focus();
  event.preventDefault();
});

/** A filter and the editor use both keys themselves. */
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || filter.contains(event.target) || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") close();
  if (event.key === "/") {
    filter.querySelector("input").focus();
    event.preventDefault();
  }
});
