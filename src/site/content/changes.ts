// What each version brought and the next one brings, from CHANGELOG.md: line by line, and in groups by what each line is about, so that
// nobody has to read all of them.

export interface ChangeGroup {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The first that knows a word of the line has it; the last has what is left. */
const GROUPS: readonly (readonly [title: string, about: RegExp])[] = [
  [
    'Running your own server',
    /\b(?:operator|server with|PostgreSQL|admin|log lines|`\/metrics`|environment)\b/i,
  ],
  [
    'This site',
    /\b(?:site|front page|guides?|changelog|pricing|press kit|invitation|newsletter|affiliates?|demonstration)\b/i,
  ],
  [
    'Command line, API and agents',
    /\b(?:API|command line|`posthaste|MCP|tokens?|agents?|webhooks?|scripts?)\b/i,
  ],
  [
    'Import, export and files',
    /\b(?:imports?|imported|exports?|exported|files?|attach\w*|CSV|OPML|clipboard|Markdown)\b/i,
  ],
  [
    'Phones and tablets',
    /\b(?:phones?|tablets?|iPads?|iPhones?|fingers?|touch\w*|taps?|tapped|swip\w*|thumb)\b/i,
  ],
  [
    'Keys and palette',
    /\b(?:keys?|palette|keyboard|Vim|Emacs|chords?|Ctrl|Enter|Tab|Escape|commands?|macros?)\b/i,
  ],
  [
    'Dates, repeats and reminders',
    /\b(?:dates?|due|repeats?|repeating|remind\w*|snooz\w*|days?|weeks?|months?|hours?|durations?)\b/i,
  ],
  [
    'Search, lists and labels',
    /\b(?:search\w*|smart lists?|lists?|folders?|labels?|sidebar|sort\w*|find and replace|replace)\b/i,
  ],
  [
    'Account, sync and safety',
    /\b(?:account|sign\w*|passwords?|passkeys?|devices?|sync\w*|offline|network|browsers?|tabs?|history|trash|undo)\b/i,
  ],
  ['Writing and looks', /(?:)/],
];

/** A released version as the file has it. */
export interface ChangedVersion {
  readonly version: string;
  /** As YYYY-MM-DD. */
  readonly day: string;
  /** Why it matters, in a sentence; empty where the file says nothing. */
  readonly say: string;
  /** As readers call them: what was added is new, what was changed is better. */
  readonly sections: readonly ChangeGroup[];
}

const SECTIONS: Readonly<Record<string, string>> = { Added: 'New', Changed: 'Better' };

const plain = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ').trim();

function linesOf(text: string): readonly string[] {
  const lines = text.split(/^- /m).slice(1);
  return lines.map((line) => plain(line.split(/\n\s*\n|^#/m)[0] ?? ''));
}

/** The lines below “Unreleased”, the newest first, each without its dash. */
export function unreleasedLines(changes: string): readonly string[] {
  const [, rest = ''] = changes.split(/^## Unreleased\s*$/m);
  const [own = ''] = rest.split(/^## /m);
  return linesOf(own);
}

/** The versions that are headings with a day, `## 1.2.3 (2026-11-26)`, the newest first. */
export function releasedVersions(changes: string): readonly ChangedVersion[] {
  return changes.split(/^## /m).flatMap((text) => {
    const [, version, day] = /^(\d[^\s(]*) \((\d{4}-\d\d-\d\d)\)\s*$/m.exec(text.split('\n')[0] ?? '') ?? [];
    if (version === undefined || day === undefined) return [];
    const [head = '', ...parts] = text.split(/^### /m);
    const sections = parts.map((part) => {
      const name = plain(part.split('\n')[0] ?? '');
      return { title: SECTIONS[name] ?? name, lines: linesOf(part) };
    });
    return [{ version, day, say: plain(head.split('\n').slice(1).join('\n')), sections }];
  });
}

/** Every line once, in the order of the groups above; groups without a line are left out. */
export function groupChanges(lines: readonly string[]): readonly ChangeGroup[] {
  const titleOf = (line: string) => GROUPS.find(([, about]) => about.test(line))?.[0] ?? '';
  const byTitle = Map.groupBy(lines, titleOf);
  return GROUPS.flatMap(([title]) => {
    const own = byTitle.get(title);
    return own ? [{ title, lines: own }] : [];
  }).toSorted((one, two) => two.lines.length - one.lines.length);
}
