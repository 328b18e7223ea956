// What this server can do beyond its protocol version, by name. Every answer of `/sync/v1` lists it, and a device uses what
// needs one of these only when the last answer named it. Shapes and versions are sync.ts and version.ts.

/** A request may say whose copy it is for (`account`): with the session of somebody else it is refused. */
export const namesAccount = 'account';

/** The person's own row of a task takes time blocks (core/calendar/blocks.ts). */
export const keepsBlocks = 'blocks';

/** Accounts of this server have plans (billing.ts). Named only where its operator turned billing on. */
export const plansFeature = 'plans';

/** The features of this version, sent with every answer. A name never changes its meaning. */
export const features: readonly string[] = [namesAccount, keepsBlocks];
