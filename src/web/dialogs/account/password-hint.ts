// What stands beside a field for a new password.
import { passwordLength } from '#core/password.ts';

const { least, most } = passwordLength;

export const passwordHint = `${least} to ${most} characters, not a common one. 15 or more are best.`;
