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

/** Planned prices in US dollars. Nothing is charged yet (`NOTHING_TO_PAY`). */
export const prices = {
  yearlyDollars: 48,
  yearlyPerMonthDollars: 4,
  monthlyDollars: 6,
  trialWeeks: 2,
  firstYearWithCodeDollars: 36,
} as const;

/** What holds as long as nothing can be bought; every page that names a price says it. */
export const NOTHING_TO_PAY = 'There’s nothing to buy yet. Everything works without a subscription.';

/** The oldest system that the Mac app runs on. */
export const MAC_REQUIREMENT = 'macOS 12 Monterey or newer';

/** How long an invitation is said to be loading before its details are asked for. */
export const INVITATION_DELAY_MS = 2_000;
