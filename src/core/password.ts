// How long a password may be that is set, in code points. Which others are refused is for the server to say
// (server/accounts/password-rule.ts); the pages state these figures beside their fields.

export const passwordLength = { least: 8, most: 72 } as const;
