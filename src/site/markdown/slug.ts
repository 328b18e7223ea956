// The address of a heading inside its page.

/** A heading without its marks, and the name of its anchor. */
export interface Heading {
  readonly text: string;
  readonly id: string;
}

/** `## Title {#id}` names its own anchor; otherwise it is made from the words. */
export function readHeading(raw: string): Heading {
  const named = /^(.*?)\s*\{#([a-z0-9-]+)\}\s*$/.exec(raw);
  const text = named?.[1] ?? raw;
  const words = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return { text, id: named?.[2] ?? words };
}
