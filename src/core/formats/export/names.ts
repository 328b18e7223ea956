// The names of the formats that tasks can be exported in: enough to offer them. How they are written is in formats.ts, which is loaded
// when something is exported.

/** In the order in which they are offered. */
export const exportNames = ['json', 'markdown', 'csv', 'opml', 'ics', 'org', 'todotxt'] as const;
/** The name of a format, in code and on the command line. */
export type ExportName = (typeof exportNames)[number];

/** What a format is called, and its files. */
export interface ExportKind {
  /** For people. */
  readonly title: string;
  /** With its dot. */
  readonly extension: string;
  readonly mediaType: string;
}

/** By name. */
export const exportKinds: Readonly<Record<ExportName, ExportKind>> = {
  json: { title: 'JSON', extension: '.json', mediaType: 'application/json' },
  markdown: { title: 'Markdown', extension: '.md', mediaType: 'text/markdown' },
  csv: { title: 'CSV', extension: '.csv', mediaType: 'text/csv' },
  opml: { title: 'OPML', extension: '.opml', mediaType: 'text/x-opml' },
  ics: { title: 'calendar tasks (ICS)', extension: '.ics', mediaType: 'text/calendar' },
  org: { title: 'Org', extension: '.org', mediaType: 'text/org' },
  todotxt: { title: 'todo.txt', extension: '.txt', mediaType: 'text/plain' },
};

/** Whether a text names a format. */
export const isExportName = (text: string): text is ExportName =>
  (exportNames as readonly string[]).includes(text);
