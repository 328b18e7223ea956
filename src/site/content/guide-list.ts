// Every guide: its id, title, category, place in the order, and whether the product does what it describes. The texts are
// beside this in guides/<id>.md; docs/site.md says how they are written.

export type GuideStatus =
  /** The product does what the text says. */
  | 'built'
  /** The text describes what is specified; the page and the build say that it is not there yet. */
  | 'planned';

export interface GuideEntry {
  readonly id: string;
  readonly title: string;
  readonly category: GuideCategory;
  readonly status: GuideStatus;
  /** One sentence for the index, search results and shared links; at most 155 characters. */
  readonly summary: string;
}

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
      'One key finds every command, list and task, and teaches you the key for next time.',
    ],
    [
      'hotkeys',
      'Hotkeys',
      'built',
      'Every key of Posthaste, what it does where, and how keys work on your keyboard.',
    ],
    [
      'labels',
      'Labels',
      'built',
      'Mark tasks with coloured labels, group them, and let one label of a group replace the other.',
    ],
    [
      'notes',
      'Notes',
      'built',
      'Write as much as you like beside a task, in markdown, on several devices at once.',
    ],
    [
      'snoozing',
      'Snoozing',
      'built',
      'Put a task out of sight until the minute you want it back, without touching its due date.',
    ],
    [
      'start-dates',
      'Start dates',
      'built',
      'Say from when a task matters; until then it stays grey and out of the way.',
    ],
    [
      'repeating-tasks',
      'Repeating tasks',
      'built',
      'Let a task come back by its due date or from the day you complete it.',
    ],
    [
      'focus-tasks',
      'Focusing on a task',
      'built',
      'Zoom in on one task and what hangs below it, and out again.',
    ],
    [
      'bookmarked-tasks',
      'Bookmarked tasks',
      'built',
      'Bookmark a task to use it like a project: one key away from anywhere.',
    ],
  ]),
  ...inCategory('Smart lists and search', [
    [
      'smart-lists',
      'Smart lists',
      'built',
      'Keep a search as a list that stays current: Today and Upcoming are such lists.',
    ],
    [
      'search-operators',
      'Search operators',
      'built',
      'Find tasks by date, label, list, state and more, and combine it all.',
    ],
    [
      'find-and-replace',
      'Find and replace',
      'built',
      'Change words in many titles at once, as plain text or with regular expressions.',
    ],
  ]),
  ...inCategory('Sharing lists', [
    [
      'shared-lists',
      'Shared lists',
      'planned',
      'Work in one list together: an invitation link is all it takes.',
    ],
    [
      'public-list-links',
      'Public list links',
      'planned',
      'Show a list to anyone with the link, and say what they may do.',
    ],
  ]),
  ...inCategory('Integrations and API', [
    ['api', 'API', 'built', 'Create, read, change and delete tasks over HTTP with a bearer token.'],
    [
      'url-handlers',
      'URL handlers',
      'built',
      'Open lists, add tasks and make folders from links and other programs.',
    ],
    [
      'creating-tasks-via-email',
      'Creating tasks via email',
      'built',
      'Every list has an address of its own: what you send there becomes a task.',
    ],
    ['macros', 'Macros', 'planned', 'Put several actions behind one command and one key, with variables.'],
    ['custom-js', 'Custom JavaScript and CSS', 'planned', 'Change how the app looks and add what you miss.'],
    [
      'mobile',
      'Logging from your phone',
      'built',
      'Add tasks by voice and by shortcut on an iPhone or iPad.',
    ],
  ]),
  ...inCategory('Miscellaneous', [
    [
      'web-app',
      'The web app',
      'built',
      'Use Posthaste in any browser, install it, and work without a network.',
    ],
    ['themes', 'Themes', 'built', 'Light, dark, colours of your own, and a gradient behind it all.'],
    ['emacs-hotkeys', 'Emacs hotkeys', 'built', 'Move and edit with the keys your fingers know from Emacs.'],
    ['encryption', 'Encryption', 'planned', 'Encrypt your tasks so that only your devices can read them.'],
    [
      'disabling-cloud-sync',
      'Disabling cloud sync',
      'built',
      'Keep tasks on one device only, and turn sync on again later.',
    ],
  ]),
  ...inCategory('Importing and exporting', [
    ['importing', 'Importing', 'built', 'Bring tasks from text, from the clipboard and from other apps.'],
    [
      'todoist-import',
      'Importing from Todoist',
      'planned',
      'Bring your projects, sections, tasks and labels from Todoist.',
    ],
    [
      'things-import',
      'Importing from Things',
      'planned',
      'Bring your areas, projects, to-dos and tags from Things.',
    ],
    [
      'workflowy-import',
      'Importing from Workflowy',
      'planned',
      'Bring your outline from Workflowy with its notes and completed items.',
    ],
    ['exporting', 'Exporting', 'built', 'Take a task, a list or everything with you, as JSON or markdown.'],
  ]),
  ...inCategory('Affiliates', [
    [
      'affiliates',
      'Affiliates',
      'built',
      'Recommend Posthaste: 25% off for whom you invite, 30% for you, for as long as they stay.',
    ],
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

export function neighboursOf(id: string): {
  readonly previous: GuideEntry | undefined;
  readonly next: GuideEntry | undefined;
} {
  const at = guideList.findIndex((guide) => guide.id === id);
  return { previous: at > 0 ? guideList[at - 1] : undefined, next: guideList[at + 1] };
}
