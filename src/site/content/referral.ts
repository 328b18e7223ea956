// The cookie that remembers who sent a visitor. Kept apart from the other facts, so that the script of every
// page is one file.

/** Cookie that holds the referrer's name, as it stood in `?ref=` of the address. */
export const REFERRAL_COOKIE = '__posthaste-ref';
/** Defined so that nothing else takes the name; nothing reads or writes it. */
export const RESERVED_COOKIE = '__posthaste-ph';
/** How many days the cookie lasts. */
export const REFERRAL_DAYS = 60;
