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
      'One key finds every command, list, and task, and shows you the key for next time.',
    ],
    ['hotkeys', 'Hotkeys', 'built', 'Every hotkey in Posthaste, where it works, and how to change it.'],
    [
      'labels',
      'Labels',
      'built',
      'Put colored labels on tasks, group them, and let only one label of a group stick.',
    ],
    [
      'notes',
      'Notes',
      'built',
      'Write as much as you like about a task, in Markdown, on several devices at once.',
    ],
    [
      'snoozing',
      'Snoozing',
      'built',
      'Hide a task until the minute you want it back. The due date doesn’t move.',
    ],
    ['start-dates', 'Start dates', 'built', 'Set the day a task starts to matter. Until then it stays gray.'],
    [
      'repeating-tasks',
      'Repeating tasks',
      'built',
      'Repeat a task from its due date or from the day you complete it.',
    ],
    ['focus-tasks', 'Focusing on a task', 'built', 'Zoom in on one task and its subtasks, and back out.'],
    [
      'bookmarked-tasks',
      'Bookmarked tasks',
      'built',
      'Bookmark a task and use it like a project, one key away from anywhere.',
    ],
  ]),
  ...inCategory('Smart lists and search', [
    [
      'smart-lists',
      'Smart lists',
      'built',
      'Save a search as a list that stays current, like Today and Upcoming.',
    ],
    [
      'search-operators',
      'Search operators',
      'built',
      'Find tasks by date, label, list, state, and more, in any combination.',
    ],
    [
      'find-and-replace',
      'Find and replace',
      'built',
      'Change words in many titles at once, with plain text or regular expressions.',
    ],
  ]),
  ...inCategory('Sharing lists', [
    [
      'shared-lists',
      'Shared lists',
      'planned',
      'Work on a list together. All it takes is an invitation link.',
    ],
    [
      'public-list-links',
      'Public list links',
      'planned',
      'Show a list to anyone with the link, and choose what they can do.',
    ],
  ]),
  ...inCategory('Integrations and API', [
    ['api', 'API', 'built', 'Create, read, change, and delete tasks over HTTP with a bearer token.'],
    [
      'url-handlers',
      'URL handlers',
      'built',
      'Open lists, add tasks, and create folders from links and other programs.',
    ],
    [
      'creating-tasks-via-email',
      'Creating tasks via email',
      'built',
      'Every list has its own email address. What you send there becomes a task.',
    ],
    ['macros', 'Macros', 'planned', 'Run several actions with one command and one hotkey, with variables.'],
    ['custom-js', 'Custom JavaScript and CSS', 'planned', 'Change how the app looks and add what’s missing.'],
    [
      'mobile',
      'Logging from your phone',
      'built',
      'Add tasks by voice and with Shortcuts on an iPhone or iPad.',
    ],
  ]),
  ...inCategory('Miscellaneous', [
    ['web-app', 'The web app', 'built', 'Use Posthaste in any browser, install it, and work offline.'],
    ['themes', 'Themes', 'built', 'Light, dark, your own colors, and a gradient behind it all.'],
    ['emacs-hotkeys', 'Emacs hotkeys', 'built', 'Move and edit with the keys your fingers know from Emacs.'],
    ['encryption', 'Encryption', 'planned', 'Encrypt your tasks so only your devices can read them.'],
    [
      'disabling-cloud-sync',
      'Disabling cloud sync',
      'built',
      'Keep tasks on one device, and turn sync back on later.',
    ],
  ]),
  ...inCategory('Importing and exporting', [
    ['importing', 'Importing', 'built', 'Bring in tasks from text, the clipboard, and other apps.'],
    [
      'todoist-import',
      'Importing from Todoist',
      'planned',
      'Bring your projects, sections, tasks, and labels from Todoist.',
    ],
    [
      'things-import',
      'Importing from Things',
      'planned',
      'Bring your areas, projects, to-dos, and tags from Things.',
    ],
    [
      'workflowy-import',
      'Importing from Workflowy',
      'planned',
      'Bring your outline from Workflowy with its notes and completed items.',
    ],
    ['exporting', 'Exporting', 'built', 'Take a task, a list, or everything with you, as JSON or Markdown.'],
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
