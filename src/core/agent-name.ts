// What a browser and its system are called in lists of sessions and devices, from how they name themselves.

/** In order: browsers also name those they descend from. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
  [/^posthaste-cli\//, 'Command line'],
];
const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A short browser name for the list of sessions, from our own list, never the agent's own words. */
export function agentName(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].map((marks) => marks.find(([mark]) => mark.test(userAgent))?.[1]);
  return found.filter((name) => name !== undefined).join(' on ') || 'Unknown';
}
