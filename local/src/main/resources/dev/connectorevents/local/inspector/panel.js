// The list and, beside it, the panel. The panel shows the row whose id is the address's fragment.

import { byId, element } from "./elements.js";

export const list = byId("rows");
export const opened = byId("opened");
export const filter = byId("filter");

/** Marks the row that the panel shows. */
export function select() {
  for (const tr of list.children) {
    if (`#${tr.dataset.id}` === location.hash) tr.setAttribute("aria-current", "true");
    else tr.removeAttribute("aria-current");
  }
}

export function close() {
  if (opened.hidden) return;
  const last = list.querySelector("[aria-current] a");
  if (opened.contains(document.activeElement)) byId("list").focus();
  location.hash = "";
  last?.focus();
}

/**
 * Opens what the fragment names, now and whenever it changes.
 *
 * @param read reads it by its id; show then fills the panel
 * @param absent the title if it cannot be read
 */
export function openWith(read, absent, show) {
  const open = async () => {
    const id = location.hash.slice(1);
    select();
    opened.hidden = !id;
    if (!id) return;
    try {
      const found = await read(id);
      if (id !== location.hash.slice(1)) return;
      opened.scrollTop = 0;
      show(found);
    } catch (error) {
      opened.replaceChildren(
        element("h2", { id: "title" }, absent),
        element("p", {}, error.message),
        element("button", { type: "button", onclick: close }, "Close"),
      );
    }
    opened.focus({ preventScroll: true });
  };
  window.addEventListener("hashchange", open);
  open();
}

list.addEventListener("keydown", event => {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  if (!step) return;
  let next = event.target.closest("tr")[step];
  while (next?.hidden) next = next[step];
  next?.querySelector("a").focus();
  event.preventDefault();
});

/** A filter and the editor use both keys themselves. */
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || filter.contains(event.target) || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") close();
  if (event.key === "/") {
    filter.elements[0].focus();
    event.preventDefault();
  }
});
