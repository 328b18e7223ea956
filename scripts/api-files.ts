// Writes what is made from the table of the public API: the OpenAPI document, the client, and the table of calls in
// docs/api.md. Run it after a change of src/wire/api; a test says when it is due.
import { readFileSync, writeFileSync } from 'node:fs';
import { endpoints, type Endpoint } from '#wire/api/endpoints.ts';
import { openApiDocument } from '#wire/api/openapi.ts';
import { printClient } from './api-client.ts';

const BEGIN = '<!-- calls -->';
const END = '<!-- end of calls -->';

const table: readonly Endpoint[] = Object.values(endpoints);

function callsTable(): string {
  const rows = table
    .filter(({ isSite }) => isSite !== true)
    .map(
      ({ method, path, summary, access, limit }) =>
        `| \`${method} ${path}\` | ${summary} | ${access ?? 'none'} | ${limit ?? ''} |`,
    );
  return ['| Call | What it does | Token | Limit |', '|---|---|---|---|', ...rows].join('\n');
}

/** Calls that the pages of the public site make: they need no token. */
function siteCallsTable(): string {
  const rows = table
    .filter(({ isSite }) => isSite === true)
    .map(({ method, path, summary }) => `| \`${method} ${path}\` | ${summary} |`);
  return ['| Call of the public site | What it does |', '|---|---|', ...rows].join('\n');
}

/** The page with its tables as they have to be. */
function printPage(page: string): string {
  const [before = '', rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  const tables = `${callsTable()}\n\nNo token is needed for these:\n\n${siteCallsTable()}`;
  return `${before}${BEGIN}\n${tables}\n${END}${after}`;
}

/** Every file by its path, with the text it has to have. */
export function apiFiles(root: URL): ReadonlyMap<string, string> {
  const document = openApiDocument();
  const page = readFileSync(new URL('docs/api.md', root), 'utf8');
  return new Map([
    ['docs/api/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['src/wire/api/client.ts', printClient(document)],
    ['docs/api.md', printPage(page)],
  ]);
}

if (import.meta.main) {
  const root = new URL('../', import.meta.url);
  for (const [path, text] of apiFiles(root)) writeFileSync(new URL(path, root), text);
}
