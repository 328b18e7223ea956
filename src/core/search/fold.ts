// Folds text for comparison: without case and accents, apostrophes as keyboards of desks write them.

const MARKS = /\p{M}/gu;
/** As phones write it: "mom’s". */
const APOSTROPHES = /[‘’ʼ]/g;
const ASCII = /^[\u0000-\u007f]*$/;

/** The text without case and accents, and with plain apostrophes, to compare it. Its length may differ from the original's. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replaceAll(MARKS, '').replaceAll(APOSTROPHES, "'").toLowerCase();
}
