// Reads what a CalDAV server answers (RFC 4918, 4791, 6578) with a real XML parser: names by their namespace, nothing that the text declares
// itself, and an end in depth and in number. Runs in the reading thread.
import sax from 'sax';
import { failed, ok, type Result } from '#core/result.ts';

const DEPTH = 40;
const ELEMENTS = 1_000_000;

/** Properties that are asked for, as far as a server gave them. */
export interface DavProperties {
  readonly etag?: string;
  /** Changes whenever anything in the calendar does. */
  readonly ctag?: string;
  readonly syncToken?: string;
  readonly name?: string;
  /** Local names of the types: `calendar`, `collection`. */
  readonly types?: readonly string[];
  /** What a calendar may hold: `VEVENT`. Absent: anything. */
  readonly components?: readonly string[];
  /** Local names of the reports that may be asked for. */
  readonly reports?: readonly string[];
  readonly principal?: string;
  readonly homes?: readonly string[];
  /** An iCalendar file. */
  readonly data?: string;
}

/** One resource of an answer. */
export interface DavResponse {
  readonly href: string;
  /** Of the resource as a whole; null: only its properties have one. */
  readonly status: number | null;
  /** Those that were found. */
  readonly properties: DavProperties;
}

/** An answer about several resources. */
export interface DavAnswer {
  readonly responses: readonly DavResponse[];
  /** From here on changes are told the next time. */
  readonly syncToken: string | null;
}

interface Element {
  /** `DAV: href`: namespace and local name. */
  readonly name: string;
  readonly component: string;
  readonly children: Element[];
  text: string;
}

const D = 'DAV:';
const C = 'urn:ietf:params:xml:ns:caldav';
const CS = 'http://calendarserver.org/ns/';

/** The whole tree. Throws where the text is no XML, or more than may be. */
function treeOf(text: string): Element | null {
  const parser = sax.parser(true, { xmlns: true, position: false });
  const open: Element[] = [];
  let root: Element | null = null;
  let count = 0;
  const write = (part: string) => {
    const inner = open.at(-1);
    if (inner !== undefined) inner.text += part;
  };
  parser.onerror = (error) => {
    throw error;
  };
  // Answers declare nothing, so that nothing can expand.
  parser.ondoctype = () => {
    throw new Error('An answer of a server declares no document type.');
  };
  parser.onopentag = (tag) => {
    const { uri, local, attributes } = tag as sax.QualifiedTag;
    count += 1;
    if (open.length >= DEPTH || count > ELEMENTS) throw new Error('The answer is too large.');
    const component = attributes['name']?.value ?? '';
    const element: Element = { name: `${uri} ${local}`, component, children: [], text: '' };
    if (open.length === 0) root ??= element;
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  parser.onclosetag = () => void open.pop();
  parser.ontext = write;
  parser.oncdata = write;
  parser.write(text).close();
  return root;
}

const named = ({ children }: Element, namespace: string, local: string) =>
  children.filter(({ name }) => name === `${namespace} ${local}`);
const textIn = (element: Element, namespace: string, local: string): string | undefined =>
  named(element, namespace, local)[0]?.text.trim();
const hrefsIn = (element: Element, namespace: string, local: string): readonly string[] =>
  named(element, namespace, local).flatMap((each) => named(each, D, 'href').map(({ text }) => text.trim()));
const localOf = ({ name }: Element) => name.slice(name.indexOf(' ') + 1);

/** `HTTP/1.1 200 OK` */
function statusOf(element: Element): number | null {
  const [, digits] = (textIn(element, D, 'status') ?? '').split(/\s+/);
  return digits !== undefined && /^\d{3}$/.test(digits) ? Number(digits) : null;
}

function propertiesOf(prop: Element): DavProperties {
  const given = <K extends keyof DavProperties>(key: K, value: DavProperties[K]) =>
    value === undefined || value === '' ? {} : { [key]: value };
  const [types] = named(prop, D, 'resourcetype');
  const [components] = named(prop, C, 'supported-calendar-component-set');
  const [reports] = named(prop, D, 'supported-report-set');
  const homes = hrefsIn(prop, C, 'calendar-home-set');
  return {
    ...given('etag', textIn(prop, D, 'getetag')),
    ...given('ctag', textIn(prop, CS, 'getctag')),
    ...given('syncToken', textIn(prop, D, 'sync-token')),
    ...given('name', textIn(prop, D, 'displayname')),
    ...given('types', types?.children.map(localOf)),
    ...given(
      'components',
      components && named(components, C, 'comp').map(({ component }) => component.toUpperCase()),
    ),
    ...given(
      'reports',
      reports &&
        named(reports, D, 'supported-report').flatMap((each) =>
          named(each, D, 'report').flatMap(({ children }) => children.map(localOf)),
        ),
    ),
    ...given('principal', hrefsIn(prop, D, 'current-user-principal')[0]),
    ...given('homes', homes.length === 0 ? undefined : homes),
    ...given('data', named(prop, C, 'calendar-data')[0]?.text),
  };
}

function responseOf(response: Element): DavResponse {
  const found = named(response, D, 'propstat').filter((each) => {
    const status = statusOf(each);
    return status === null || (status >= 200 && status < 300);
  });
  const properties = found.flatMap((each) => named(each, D, 'prop').map(propertiesOf));
  return {
    href: textIn(response, D, 'href') ?? '',
    status: statusOf(response),
    properties: Object.assign({}, ...properties) as DavProperties,
  };
}

/** Reads an answer. `not_dav`: it is something else, as a page, or half of one. */
export function readMultistatus(text: string): Result<DavAnswer, 'not_dav'> {
  let root: Element | null;
  try {
    root = treeOf(text);
  } catch {
    // Where it breaks makes no difference.
    return failed('not_dav');
  }
  if (root?.name !== `${D} multistatus`) return failed('not_dav');
  return ok({
    responses: named(root, D, 'response').map(responseOf),
    syncToken: textIn(root, D, 'sync-token') ?? null,
  });
}
