// JSON that anybody may have written: another version of the app, another program, a hand. It is read without failing and
// looked at before it is believed. Not here: documents, whose problems are told by their place (formats/json-check.ts).

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether it is an object with names; a list is none. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the text says; undefined where it is no JSON, or there is none. */
export function readJson(text: string | null): unknown {
  try {
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    // Damaged, or never JSON: whoever asks says what that means.
    return undefined;
  }
}

/** The object that the text says; an empty one where it says anything else. */
export function readRecord(text: string | null): JsonRecord {
  const value = readJson(text);
  return isRecord(value) ? value : {};
}
