// Text as it is compared: without case and accents.

const MARKS = /\p{M}/gu;
const ASCII = /^[\u0000-\u007f]*$/;

/** As texts are compared: without case and without accents. Its length may differ from the text's. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replaceAll(MARKS, '').toLowerCase();
}
