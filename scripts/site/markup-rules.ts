// What the standard forbids in a page and no browser complains of: elements in the wrong place, names that lead to no element, attributes and
// elements that are gone. For the markup that we write; it is no general validator.
import { type HtmlElement, type HtmlNode, textOf } from './html.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const PHRASING = words(
  'a abbr audio b bdi bdo br button cite code data del dfn em i iframe img input ins kbd label mark meter noscript output picture ' +
    'progress q ruby s samp script select small span strong sub sup svg template textarea time u var video wbr',
);
const FLOW = words(
  'address article aside blockquote details dialog div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main ' +
    'menu nav ol p pre search section table ul',
);
/** Elements with words and what belongs to words in them, nothing else. */
const ONLY_PHRASING = words(
  'p h1 h2 h3 h4 h5 h6 pre span em strong b i small code kbd label button abbr time q cite',
);
const INTERACTIVE = words('a button select textarea details label input');
const CHILDREN: Readonly<Record<string, ReadonlySet<string>>> = {
  ul: words('li'),
  ol: words('li'),
  dl: words('dt dd div'),
  table: words('caption colgroup thead tbody tfoot'),
  thead: words('tr'),
  tbody: words('tr'),
  tr: words('th td'),
  select: words('option optgroup'),
  picture: words('source img'),
};
const PARENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  li: words('ul ol menu'),
  dt: words('dl div'),
  dd: words('dl div'),
  tr: words('thead tbody tfoot'),
  td: words('tr'),
  th: words('tr'),
  figcaption: words('figure'),
  legend: words('fieldset'),
  summary: words('details'),
  track: words('video audio'),
};
const PLACED = words(
  'html head body title meta link base style li dt dd caption colgroup col thead tbody tfoot tr td th option optgroup source track legend ' +
    'figcaption summary',
);
const GONE = /^(?:align|bgcolor|border|cellpadding|cellspacing|valign|frameborder|language)$/;
const REFERENCES = [
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-activedescendant',
  'for',
  'headers',
];

function faultsAt(element: HtmlElement, above: readonly HtmlElement[]): readonly string[] {
  const { tag, attributes } = element;
  const parent = above.at(-1)?.tag ?? '';
  const faults: string[] = [];
  if (!PHRASING.has(tag) && !FLOW.has(tag) && !PLACED.has(tag)) faults.push(`there is no element ${tag}`);
  if (ONLY_PHRASING.has(parent) && !PHRASING.has(tag)) faults.push(`${tag} stands in ${parent}`);
  const children = CHILDREN[parent];
  if (children && !children.has(tag) && !['script', 'template'].includes(tag))
    faults.push(`${tag} stands in ${parent}`);
  if (PARENTS[tag] && !PARENTS[tag].has(parent)) faults.push(`${tag} stands in ${parent}`);
  const outer = above.find(({ tag: name }) => name === 'a' || name === 'button');
  if (outer && INTERACTIVE.has(tag)) faults.push(`${tag} stands in ${outer.tag}`);
  if (tag === 'img' && !('alt' in attributes)) faults.push(`${attributes['src']} has no alternative text`);
  if (tag === 'img' && !('width' in attributes && 'height' in attributes))
    faults.push(`${attributes['src']} has no size`);
  for (const name of Object.keys(attributes)) if (GONE.test(name)) faults.push(`${name} at ${tag}`);
  if (/^(?:ul|ol|dl|tr|table|select)$/.test(tag))
    for (const child of element.children)
      if (typeof child === 'string' && textOf(child).trim() !== '') faults.push(`words stand in ${tag}`);
  return faults;
}

function* below(
  nodes: readonly HtmlNode[],
  above: readonly HtmlElement[],
): Generator<{ readonly element: HtmlElement; readonly above: readonly HtmlElement[] }> {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    yield { element: node, above };
    // What is drawn has a grammar of its own.
    if (node.tag !== 'svg') yield* below(node.children, [...above, node]);
  }
}

/** What is wrong with a document, each fault once. */
export function markupFaults(nodes: readonly HtmlNode[]): readonly string[] {
  const all = [...below(nodes, [])];
  const ids = new Set(all.flatMap(({ element }) => element.attributes['id'] ?? []));
  const faults = all.flatMap(({ element, above }) => [
    ...faultsAt(element, above),
    ...REFERENCES.flatMap((name) => (element.attributes[name] ?? '').split(' ').filter(Boolean))
      .filter((id) => !ids.has(id))
      .map((id) => `${element.tag} points to ${id}, which is not there`),
  ]);
  return [...new Set(faults)];
}
