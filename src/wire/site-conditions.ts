// Parts of the public site's pages that depend on the operator's settings. The build does not know these: it marks such
// parts, and the server leaves out those whose condition does not hold. Marks are plain text, so they work in words and
// in attributes alike.

/** Conditions that a page may name, each a setting of the operator or a release that the operator added. */
export const siteConditions = [
  /** There is an installer for the Mac. */
  'installer',
  /** There are files of a release of the desktop client. */
  'desktop',
  /** There is an app for phones: in a store, or an installer whose page leads phones to it. */
  'phone',
  'store',
  'social',
  'community',
  /** This server sends mail. */
  'mail',
  /** This server receives mail to lists. */
  'inbox',
  /** Accounts of this server are paid for. */
  'billing',
] as const;
/** The name of a condition. */
export type SiteCondition = (typeof siteConditions)[number];

/** The marks around a part for one condition, with an alternative if it does not hold. Never nested. */
export const conditionMarks = (condition: SiteCondition) =>
  ({ begin: `%IF ${condition}%`, otherwise: '%ELSE%', end: '%END%' }) as const;

const MARKED = /%IF ([a-z]+)%(.*?)(?:%ELSE%(.*?))?%END%/gs;

/** The text of a page with only the parts whose conditions hold, without marks. Unknown conditions do not hold. */
export const resolveConditions = (text: string, holding: ReadonlySet<string>): string =>
  text.replaceAll(MARKED, (_whole, name: string, then: string, otherwise = '') =>
    holding.has(name) ? then : otherwise,
  );
