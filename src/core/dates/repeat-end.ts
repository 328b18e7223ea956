// Finds the end of a repeat in words ("every month until 2028", "5 times"). Repeats have no end here, so callers tell
// the person about such words.

const ENDINGS: readonly RegExp[] = [
  /\s+(?:and\s+)?(?:until|till|til|ending|ends|through|up\s+to|before)\b.*$/i,
  /\s*,?\s+(?:for\s+)?(?:\d+|once|twice|two|three|four|five|six|seven|eight|nine|ten|twelve)\s*(?:times|x|×|occurrences|repeats|repetitions)\s*$/i,
  /\s+(?:twice|once)\s*$/i,
  /\s+for\s+(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\s+(?:days?|weeks?|months?|years?)\s*$/i,
];
/** Nobody writes a longer repeat. */
const LONGEST = 200;

export interface RepeatEnd {
  /** The words without the end. */
  readonly repeat: string;
  readonly end: string;
}

/**
 * Splits the end off a repeat; null when the text is no repeat with an end. `isRepeat` checks the words before the end.
 */
export function endIn(text: string, isRepeat: (words: string) => boolean): RepeatEnd | null {
  if (text.length > LONGEST) return null;
  for (const ending of ENDINGS) {
    const found = ending.exec(text);
    const repeat = found ? text.slice(0, found.index).trim() : '';
    if (found && repeat !== '' && isRepeat(repeat))
      return { repeat, end: found[0].replace(/^[\s,]+/, '').trim() };
  }
  return null;
}
