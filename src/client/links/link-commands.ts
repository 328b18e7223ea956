// Opens the links of tasks and lists: a single one at once, else the chosen one. core/markdown/links.ts, a lazy part, finds
// the links of a text.
import type { Id } from '#core/ids.ts';
import { withMarkdown } from '../markdown/lazy.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, type Command, define, done, refused } from '../commands/define.ts';
import { needsTask } from '../commands/needs.ts';
import { fieldOf } from '#sync/rows/row.ts';

const MOST_LINKS = 20;
/** Argument value that stands for every link. */
export const EVERY_LINK = 'all';

/** Opens the only link of these rows, or asks which one. */
export function openLinksOf(program: Program, ids: readonly Id[]): CommandResult {
  return withMarkdown(program, ({ linksIn }) => {
    const texts = ids.flatMap((id) => {
      const row = program.replica.row(id);
      return row ? [nameOf(row), fieldOf(row, 'notes') ?? ''] : [];
    });
    const links = new Map(texts.flatMap(linksIn).map((link) => [link.address, link]));
    program.links = [...links.values()];
    const [first] = program.links;
    if (first === undefined) return refused('There’s no link in the title or notes.');
    return program.run('task.openLink', links.size === 1 ? { link: first.address } : {});
  });
}

function open(program: Program, address: string): CommandResult {
  if (address !== EVERY_LINK) {
    program.platform.openLink(address);
    return announced('Opened the link.');
  }
  const { links } = program;
  if (links.length > MOST_LINKS) return refused(`That’s ${links.length} links. Open them one by one.`);
  for (const link of links) program.platform.openLink(link.address);
  return announced(`Opened ${links.length} links.`);
}

/** Opening the links of the targets or at the caret, one or all. */
export const linkCommands: readonly Command[] = [
  define({
    id: 'task.openLinks',
    title: 'Open links',
    aliases: ['browse', 'url', 'website'],
    group: 'Tasks',
    when: needsTask,
    run(program) {
      const targets = program.workspace.targets();
      return targets.length === 0 ? done : openLinksOf(program, targets);
    },
  }),
  define({
    id: 'task.openLink',
    title: 'Open link…',
    group: 'Tasks',
    inPalette: false,
    args: [{ name: 'link', kind: 'link', prompt: 'Open which link?' }],
    run: (program, args) => open(program, args.link ?? ''),
  }),
];
