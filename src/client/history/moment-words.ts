// Times of the history in words.

const DIVISIONS: readonly (readonly [limit: number, size: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [60, 1, 'second'],
  [3_600, 60, 'minute'],
  [86_400, 3_600, 'hour'],
  [30 * 86_400, 86_400, 'day'],
  [365 * 86_400, 30 * 86_400, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 86_400, 'year'],
];

/** "5 minutes ago", "yesterday". */
export function relative(ms: number, format: Intl.RelativeTimeFormat): string {
  const seconds = Math.round(ms / 1_000);
  const [, size, unit] = DIVISIONS.find(([limit]) => Math.abs(seconds) < limit) ?? [0, 1, 'second' as const];
  return format.format(Math.round(seconds / size), unit);
}
