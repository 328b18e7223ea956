// Folds text for comparison: without case and accents.

const MARKS = /\p{M}/gu;
const ASCII = /^[\u0000-\u007f]*$/;

/** The text without case and accents, to compare it. Its length may differ from the original's. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replaceAll(MARKS, '').toLowerCase();
}
