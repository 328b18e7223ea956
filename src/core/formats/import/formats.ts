// The table of formats that can be imported. The first one whose content matches reads a file, so the more particular
// ones stand above the more general ones.
import type { Format } from './draft.ts';
import type { Given } from './given.ts';
import { todoistCsv } from '../sources/todoist-csv.ts';
import { todoistJson } from '../sources/todoist-json.ts';
import { calendar } from '../sources/calendar.ts';
import { ticktick } from '../sources/ticktick.ts';
import { asana } from '../sources/asana.ts';
import { google, microsoft, trello } from '../sources/boards.ts';
import { dynalist } from '../sources/dynalist.ts';
import { obsidian } from '../sources/obsidian.ts';
import { omnifocusCsv, taskpaper } from '../sources/omnifocus.ts';
import { org } from '../sources/org.ts';
import { taskwarrior } from '../sources/taskwarrior.ts';
import { things } from '../sources/things.ts';
import { thingsJson } from '../sources/things-json.ts';
import { workflowyJson, workflowyOpml, workflowyText } from '../sources/workflowy.ts';
import { ownCsv, ownOpml } from '../sources/own.ts';
import { outline, table, text, todoTxt } from '../sources/plain.ts';

/** All formats, the most particular first. */
export const formats: readonly Format[] = [
  ownCsv,
  ownOpml,
  things,
  todoistCsv,
  ticktick,
  omnifocusCsv,
  asana,
  todoistJson,
  thingsJson,
  workflowyJson,
  taskwarrior,
  google,
  trello,
  microsoft,
  workflowyOpml,
  dynalist,
  workflowyText,
  calendar,
  org,
  obsidian,
  taskpaper,
  outline,
  table,
  todoTxt,
  text,
];

/** The format of a file by its content; null: none that can be imported. */
export function formatOf(file: Given): Format | null {
  return formats.find((format) => format.detect(file)) ?? null;
}

/** The usual endings of all formats, for pickers. */
export const importExtensions: readonly string[] = [
  ...new Set([...formats.flatMap(({ extensions }) => extensions), '.zip', '.json']),
];
