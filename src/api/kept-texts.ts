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

const isKept = (value: unknown) => typeof value === 'object' && value !== null && texts.has(value);

/** As JSON.stringify, with kept texts of what the body holds, itself or in lists. */
export function bodyText(body: Readonly<Record<string, unknown>>): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const text =
      Array.isArray(value) && isKept(value[0]) ? `[${value.map(textOf).join(',')}]` : textOf(value);
    members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}
