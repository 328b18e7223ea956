// The facts that several pages state: names, addresses, prices, terms. Each is written here once.

/** The product's name as visitors read it, in the bar and the footer. */
export const PRODUCT = 'Posthaste';

/** Addresses that leave the site; the server sends them on to what the operator configured. */
export const links = {
  app: '/app/',
  download: '/download',
  appStore: '/go/app-store',
  community: '/go/community',
  social: '/go/social',
  pressKit: '/press-kit.zip',
} as const;

/** On links to what is not a page of the site. */
export const NEW_TAB = { target: '_blank', rel: 'noopener' } as const;

/** Prices in US dollars, where a server asks for them (condition `billing`). */
export const prices = {
  yearlyDollars: 48,
  yearlyPerMonthDollars: 4,
  monthlyDollars: 6,
  firstYearWithCodeDollars: 36,
} as const;

/** What holds on a server that asks for nothing. */
export const NOTHING_TO_PAY =
  'There’s nothing to pay on this server. Everything works without a subscription.';

/** The oldest system that the Mac app runs on. */
export const MAC_REQUIREMENT = 'macOS 12 Monterey or newer';

/** How long an invitation is said to be loading before its details are asked for. */
export const INVITATION_DELAY_MS = 2_000;
