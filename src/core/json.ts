// JSON of unknown origin: another version of the app, another program, a person. It is read without failing and checked
// before it is trusted. Not here: documents, whose problems are reported by position (formats/json-check.ts).

/** A JSON object whose fields are still unchecked. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether the value is an object and not a list. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parsed text; undefined when it is null or not JSON. */
export function readJson(text: string | null): unknown {
  // What was never set is empty, and is asked for much too often to throw each time.
  if (text === null || text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Damaged, or never JSON: the caller decides what that means.
    return undefined;
  }
}

/** The parsed object; an empty one when the text is anything else. */
export function readRecord(text: string | null): JsonRecord {
  const value = readJson(text);
  return isRecord(value) ? value : {};
}
