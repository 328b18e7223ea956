// Every guide: its id, title, category, place in the order, and whether the product does what it describes. The texts are
// beside this in guides/<id>.md; docs/site.md says how they are written.

export type GuideStatus =
  /** The product does what the text says. */
  | 'built'
  /** The text describes what is specified; the page and the build say that it is not there yet. */
  | 'planned';

/** A guide without its text. Its page is `/guides/<id>`. */
export interface GuideEntry {
  readonly id: string;
  readonly title: string;
  readonly category: GuideCategory;
  readonly status: GuideStatus;
  /** One sentence for the index, search results and shared links; at most 155 characters. */
  readonly summary: string;
}

/** In the order of the index of guides. */
export const guideCategories = [
  'The basics',
  'Smart lists and search',
  'Sharing lists',
  'Integrations and API',
  'Miscellaneous',
  'Importing and exporting',
  'Affiliates',
] as const;
export type GuideCategory = (typeof guideCategories)[number];

/** Old addresses that people still have. */
export const legacyGuides: Readonly<Record<string, string>> = {
  'logging-with-api': 'api',
  'hotkey-reference': 'hotkeys',
};

const inCategory = (
  category: GuideCategory,
  rows: readonly (readonly [id: string, title: string, status: GuideStatus, summary: string])[],
): readonly GuideEntry[] =>
  rows.map(([id, title, status, summary]) => ({ id, title, category, status, summary }));

/** In reading order: the previous and the next guide are the neighbours here. */
export const guideList: readonly GuideEntry[] = [
  ...inCategory('The basics', [
    [
      'command-palette',
      'Command palette',
      'built',
      'Find any command, list, or task, and learn its key on the way.',
    ],
    ['hotkeys', 'Hotkeys', 'built', 'Every key, where it works, and how to change it.'],
    ['labels', 'Labels', 'built', 'Color-code tasks, and let only one label of a group stick.'],
    ['notes', 'Notes', 'built', 'Write as much as you want next to a task, in Markdown, on any device.'],
    ['snoozing', 'Snoozing', 'built', 'Hide a task until you want it back. Its due date stays put.'],
    ['start-dates', 'Start dates', 'built', 'Gray a task out until the day it matters.'],
    ['repeating-tasks', 'Repeating tasks', 'built', 'Repeat from the due date, or from the day you finish.'],
    ['focus-tasks', 'Focusing on a task', 'built', 'Zoom in on one task and its subtasks, then back out.'],
    ['bookmarked-tasks', 'Bookmarked tasks', 'built', 'Turn any task into a project you can jump to.'],
  ]),
  ...inCategory('Smart lists and search', [
    ['smart-lists', 'Smart lists', 'built', 'Save a search as a list that keeps itself up to date.'],
    [
      'search-operators',
      'Search operators',
      'built',
      'Search by date, label, list, or state, in any combination.',
    ],
    [
      'find-and-replace',
      'Find and replace',
      'built',
      'Rewrite many titles at once, with plain text or regex.',
    ],
  ]),
  ...inCategory('Sharing lists', [
    ['shared-lists', 'Shared lists', 'built', 'Work in one list together. All it takes is a link.'],
    [
      'public-list-links',
      'Public list links',
      'built',
      'Show a list to anyone, and decide what they can change.',
    ],
  ]),
  ...inCategory('Integrations and API', [
    ['api', 'API', 'built', 'Create, read, update, and delete tasks over HTTP.'],
    ['url-handlers', 'URL handlers', 'built', 'Open lists and add tasks from links and scripts.'],
    [
      'creating-tasks-via-email',
      'Creating tasks via email',
      'built',
      'Every list has its own address. Send it mail, get a task.',
    ],
    ['macros', 'Macros', 'built', 'Chain commands, add variables, give it all one key.'],
    ['custom-js', 'Custom JavaScript and CSS', 'built', 'Change how Posthaste looks with CSS of your own.'],
    ['mobile', 'Logging from your phone', 'built', 'Add tasks by voice or shortcut on iPhone and iPad.'],
  ]),
  ...inCategory('Miscellaneous', [
    ['web-app', 'The web app', 'built', 'Run Posthaste in any browser, install it, use it offline.'],
    ['themes', 'Themes', 'built', 'Light, dark, your own colors, and a gradient behind it all.'],
    ['emacs-hotkeys', 'Emacs hotkeys', 'built', 'Move and edit with the keys your fingers already know.'],
    ['encryption', 'Encryption', 'built', 'Encrypt your tasks so only your devices can read them.'],
    [
      'disabling-cloud-sync',
      'Disabling cloud sync',
      'built',
      'Keep everything on one device. Turn sync back on anytime.',
    ],
  ]),
  ...inCategory('Importing and exporting', [
    ['importing', 'Importing', 'built', 'Bring tasks from text, the clipboard, or another app.'],
    [
      'todoist-import',
      'Importing from Todoist',
      'built',
      'Bring your projects, sections, tasks, and labels.',
    ],
    ['things-import', 'Importing from Things', 'built', 'Bring your areas, projects, to-dos, and tags.'],
    [
      'workflowy-import',
      'Importing from Workflowy',
      'built',
      'Bring your outline, its notes, and what’s done.',
    ],
    ['exporting', 'Exporting', 'built', 'Take a task, a list, or everything, as JSON or Markdown.'],
  ]),
  ...inCategory('Affiliates', [
    ['affiliates', 'Affiliates', 'built', 'Give 25% off. Earn 30% for as long as they stay.'],
  ]),
];

/** Whether the product does what this guide says. */
export const isBuilt = (id: string): boolean =>
  guideList.some((guide) => guide.id === id && guide.status === 'built');

/** Pages of plain information, written like guides but not among them. */
export const informationPages = [
  'calendar-integration-private-beta',
  'scheduled-maintenance',
  'measured',
  'updating-macro-variables-with-javascript',
  'privacy',
  'eula',
] as const;

/** The guides before and after this one in `guideList`; undefined at its ends. */
export function neighboursOf(id: string): {
  readonly previous: GuideEntry | undefined;
  readonly next: GuideEntry | undefined;
} {
  const at = guideList.findIndex((guide) => guide.id === id);
  return { previous: at > 0 ? guideList[at - 1] : undefined, next: guideList[at + 1] };
}
