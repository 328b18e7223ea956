// The data layer's view of the log.

/** Receives log messages of the data layer; the caller decides which are kept and where. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  detail: Readonly<Record<string, unknown>>,
) => void;
