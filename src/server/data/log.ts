// What the data layer asks of a log. Which lines are kept and where is decided elsewhere.

export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  detail: Readonly<Record<string, unknown>>,
) => void;
