// Limits of attached files, checked on both ends.

const MB = 1_048_576;

/** Limits of attached files, in bytes and in number. */
export const fileLimits = {
  fileBytes: 25 * MB,
  /** All files of an account. */
  accountBytes: 5 * 1_024 * MB,
  /** Attachments of one task. */
  perTask: 100,
} as const;
