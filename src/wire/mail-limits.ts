// How much mail people are asked to keep to. Apart from the messages, which need the library that checks them.

/** Limits that people are asked to keep, per account: 40 MB in a month, 150 mails a day on average. */
export const mailLimits = {
  days: 30,
  messages: 4_500,
  perDay: 150,
  bytes: 40_000_000,
  /** Per message as it is sent: a file of 18 MB is then 25 MB. */
  messageBytes: 25 * 1_048_576,
} as const;
