// What attached files are held to, on both ends.

const MB = 1_048_576;

export const fileLimits = {
  fileBytes: 25 * MB,
  /** All files of an account together. */
  accountBytes: 5 * 1_024 * MB,
  /** Attachments of one task. */
  perTask: 100,
} as const;
