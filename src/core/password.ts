// Length limits of new passwords, in code points, which pages show beside their fields. The server refuses further ones
// (server/accounts/password-rule.ts).

/** Shortest and longest new password, in code points. */
export const passwordLength = { least: 12, most: 72 } as const;

/** A sentence about a new password that is too short or too long; null otherwise. */
export function lengthProblem(password: string): string | null {
  const length = [...password.normalize('NFC')].length;
  if (length < passwordLength.least)
    return `Use at least ${passwordLength.least} characters for your password. 15 or more is better.`;
  return length > passwordLength.most
    ? `Use at most ${passwordLength.most} characters for your password.`
    : null;
}
