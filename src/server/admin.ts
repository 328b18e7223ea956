// `npm run admin -- <command>`: the terminal side of admin-commands.ts.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { runAdmin } from './admin-commands.ts';

/** The first line of standard input; on a terminal it prompts and does not echo. */
async function readPassword(): Promise<string> {
  const isTerminal = process.stdin.isTTY;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isTerminal) process.stderr.write('Password: ');
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTerminal });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (isTerminal) process.stderr.write('\n');
  }
}

process.umask(0o077);
process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: process.env,
  print: (line) => console.log(line),
  readPassword,
});
