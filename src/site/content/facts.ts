// The facts that several pages state: names, addresses, prices, terms. Each stands here once.

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

export const prices = {
  yearlyDollars: 48,
  yearlyPerMonthDollars: 4,
  monthlyDollars: 6,
  trialWeeks: 2,
  firstYearWithCodeDollars: 36,
} as const;

/** The oldest system that the Mac app runs on. */
export const MAC_REQUIREMENT = 'macOS 12 Monterey or newer';

/** How long an invitation is said to be loading before its details are asked for. */
export const INVITATION_DELAY_MS = 2_000;
