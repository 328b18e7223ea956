// How it is remembered who sent a visitor. Apart from the other facts, so that the script of every page is one file.

export const REFERRAL_COOKIE = '__posthaste-ref';
/** Defined so that nothing else takes the name; nothing reads or writes it. */
export const RESERVED_COOKIE = '__posthaste-ph';
export const REFERRAL_DAYS = 60;
