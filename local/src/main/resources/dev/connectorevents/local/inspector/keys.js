// The keys that events have in the body itself, as in a batch.

const NAME = "idempotency_key";
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** The events with a key: each with its text, its key and where the key's value stands in the body. */
export function keyedEvents(body) {
  if (!body.includes(NAME) || !isJson(body)) return [];
  const events = [];
  const open = []; // the objects and arrays around the current token
  let last = "";
  for (const { 0: token, index } of body.matchAll(TOKEN)) {
    const around = open.at(-1);
    if (token === "{" || token === "[") {
      open.push({ isObject: token === "{", start: index });
    } else if (token === "}" || token === "]") {
      const { start, key } = open.pop();
      if (key) events.push({ ...key, text: body.slice(start, index + 1) });
    } else if (token === ":") {
      around.name = JSON.parse(last);
    } else if (around?.name === NAME && last === ":" && token.startsWith('"') && isEvent(open)) {
      around.key = { key: JSON.parse(token), start: index, end: index + token.length };
    }
    last = token;
  }
  return events;
}

/** Whether the innermost is the body itself, or a member of its array "events". */
function isEvent(open) {
  return open.length === 1 || (open.length === 3 && open[0].name === "events" && !open[1].isObject);
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The body with another key in each event that has changed. A key that was not sent before stays.
 *
 * @param sent the events that were sent before; without its text if that is not known
 * @param newKey gives the key that replaces an old one
 */
export function withNewKeys(body, sent, newKey) {
  const texts = new Set(sent.map(event => event.text));
  const oldKeys = new Set(sent.map(event => event.key));
  return keyedEvents(body)
    .filter(event => oldKeys.has(event.key) && !texts.has(event.text))
    .sort((a, b) => b.start - a.start) // from the end: earlier places stay right
    .reduce((text, { key, start, end }) => text.slice(0, start) + JSON.stringify(newKey(key)) + text.slice(end), body);
}
