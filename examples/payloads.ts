// Cuts the exact texts of payloads out of a page's text, where JSON.parse rounds: docs/reading-events.md
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[[\]{}]/gs;

export function* payloads(page: string) {
  let depth = 0, start = -1;
  for (const { 0: token, index } of page.matchAll(TOKEN)) {
    if ('[{'.includes(token)) depth++;
    else if (']}'.includes(token) && --depth === 3 && start >= 0) {
      yield page.slice(start, index + 1);
      start = -1;
    } else if (depth === 3 && /^"payload"\s*:$/.test(token) && start < 0) start = page.indexOf('{', index);
  }
}
