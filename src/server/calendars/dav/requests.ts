// What is asked of CalDAV servers, as XML: properties, entries in a window, entries by name, changes since a token.
const HEAD =
  '<?xml version="1.0" encoding="utf-8"?>\n<d:$ xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/">';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const document = (name: string, content: string) => {
  const [prefix = '', local = ''] = name.split(':');
  return `${HEAD.replace('d:$', `${prefix}:${local}`)}${content}</${name}>`;
};

const props = (...names: readonly string[]) =>
  `<d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop>`;

/** `20261130T090000Z` */
const stamp = (at: number) =>
  Temporal.Instant.fromEpochMilliseconds(at).toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');

/** Who one is there, and where one's calendars are; also whether the address is a calendar itself. */
export const askWhere = document(
  'd:propfind',
  props(
    'd:current-user-principal',
    'c:calendar-home-set',
    'd:resourcetype',
    'd:displayname',
    'c:supported-calendar-component-set',
  ),
);

/** The calendars of a home. */
export const askCalendars = document(
  'd:propfind',
  props('d:resourcetype', 'd:displayname', 'c:supported-calendar-component-set'),
);

/** Whether a calendar has changed. */
export const askState = document(
  'd:propfind',
  props('d:displayname', 'd:sync-token', 's:getctag', 'd:supported-report-set'),
);

/** Entries that touch a window, wall milliseconds; without their content only their marks. */
export function askEntries(
  window: { readonly from: number; readonly to: number },
  hasContent: boolean,
): string {
  const range = `<c:time-range start="${stamp(window.from)}" end="${stamp(window.to)}"/>`;
  const event = `<c:comp-filter name="VEVENT">${range}</c:comp-filter>`;
  const filter = `<c:filter><c:comp-filter name="VCALENDAR">${event}</c:comp-filter></c:filter>`;
  const wanted = hasContent ? props('d:getetag', 'c:calendar-data') : props('d:getetag');
  return document('c:calendar-query', wanted + filter);
}

/** These entries. */
export const askNamed = (hrefs: readonly string[]): string =>
  document(
    'c:calendar-multiget',
    props('d:getetag', 'c:calendar-data') + hrefs.map((href) => `<d:href>${escaped(href)}</d:href>`).join(''),
  );

/** What changed since a token. */
export const askChanges = (token: string): string =>
  document(
    'd:sync-collection',
    `<d:sync-token>${escaped(token)}</d:sync-token><d:sync-level>1</d:sync-level>${props('d:getetag')}`,
  );
