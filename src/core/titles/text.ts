// The title that stays when recognized words leave it: no double spaces, no comma, dash or colon that led to them, and no
// empty parentheses. The case of letters stays as it was typed.
import type { Range } from './line.ts';

/** The text without these ranges, which do not overlap and stand in its order. */
export function withoutRanges(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  let left = '';
  let from = 0;
  let isFirst = true;
  for (const { start, end } of ranges) {
    left = isFirst ? text.slice(0, start) : joined(left, text.slice(from, start));
    isFirst = false;
    from = end;
  }
  const title = joined(left, text.slice(from)).trim();
  return /[^\s\p{P}]/u.test(title) ? title : '';
}

const DANGLING = new Set([',', ';', ':', '-', '–', '—']);

/** What stood before and behind words that left, as one text. */
function joined(before: string, behind: string): string {
  let left = before.trimEnd();
  let right = behind.trimStart();
  const opening = left.at(-1);
  if (opening === '(' || opening === '[') {
    const closing = opening === '(' ? ')' : ']';
    // More words inside the parentheses may follow.
    right = right.replace(/^[,;:]\s{0,3}/, '');
    if (!right.startsWith(closing)) return left + right;
    const outside = right.slice(1);
    left = left.slice(0, -1).trimEnd();
    right = outside.trimStart();
    if (left !== '' && right !== '' && /^[\p{L}\p{N}#@(]/u.test(right)) return `${left} ${right}`;
  }
  if (left === '') return trimmedStart(right);
  if (right === '') return trimmedEnd(left);
  if (/^[.!?)\]]/.test(right) && !/^\s/.test(behind)) return trimmedEnd(left) + right;
  // A sign that stood alone still does: "next month !!".
  if (/^[!?]+(?:\s|$)/.test(right)) return `${trimmedEnd(left)} ${right}`;
  if (/^[.)\]]+(?:\s|$)/.test(right)) return trimmedEnd(left) + right;
  if (/^[,;:]/.test(right)) return (DANGLING.has(left.at(-1) ?? '') ? trimmedEnd(left) : left) + right;
  if (/^[-–—]\s/.test(right) && /\s[-–—]$/.test(left)) return trimmedEnd(left) + (' ' + right);
  const isGlued = /^\s/.test(behind) || /\s$/.test(before) ? ' ' : '';
  return left + isGlued + right;
}

function trimmedStart(text: string): string {
  let at = 0;
  while (at < text.length && (DANGLING.has(text.charAt(at)) || /\s/.test(text.charAt(at)))) at += 1;
  return text.slice(at);
}

function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (DANGLING.has(text.charAt(end - 1)) || /\s/.test(text.charAt(end - 1)))) end -= 1;
  return text.slice(0, end);
}
