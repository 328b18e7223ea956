// The JSON of what answers show again and again, made once. By the object itself: whoever shows the same object says the same.

/** Null: not made yet. */
const texts = new WeakMap<object, string | null>();

/** The object will not change, and may be shown again. */
export function keepTextOf(value: object): void {
  texts.set(value, null);
}

function textOf(value: unknown): string {
  const known = typeof value === 'object' && value !== null ? texts.get(value) : undefined;
  if (typeof known === 'string') return known;
  const text = JSON.stringify(value);
  if (known === null) texts.set(value as object, text);
  return text;
}

/** As JSON.stringify, with kept texts of the objects in lists that the body holds. */
export function bodyText(body: Readonly<Record<string, unknown>>): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const isKept = Array.isArray(value) && value.length > 0 && texts.has(value[0] as object);
    const text = isKept ? `[${value.map(textOf).join(',')}]` : JSON.stringify(value);
    members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}
