// Opening the links of tasks and lists: one at once, of several the one that is chosen. Which texts hold which links is
// markdown/links.ts, a lazy chunk.
import type { Id } from '#core/ids.ts';
import { withMarkdown } from '../markdown/door.ts';
import type { Program } from '../program.ts';
import { nameOf } from '../row-facts.ts';
import type { CommandResult } from './command.ts';
import { announced, type Command, define, done, needsTask, refused } from './define.ts';

const MOST_LINKS = 20;
/** Stands for every link, in the argument of the command. */
export const EVERY_LINK = 'all';

/** Opens the link of these, or asks which. */
export function openLinksOf(program: Program, ids: readonly Id[]): CommandResult {
  return withMarkdown(program, ({ linksIn }) => {
    const texts = ids.flatMap((id) => {
      const row = program.replica.row(id);
      return row ? [nameOf(row), (row.fields.notes as string | undefined) ?? ''] : [];
    });
    const links = new Map(texts.flatMap(linksIn).map((link) => [link.address, link]));
    program.links = [...links.values()];
    const [first] = program.links;
    if (first === undefined) return refused('There is no link in the title or notes.');
    return program.run('task.openLink', links.size === 1 ? { link: first.address } : {});
  });
}

function open(program: Program, address: string): CommandResult {
  if (address !== EVERY_LINK) {
    program.platform.openLink(address);
    return announced('Opened the link.');
  }
  const { links } = program;
  if (links.length > MOST_LINKS) return refused(`Those are ${links.length} links. Open them one by one.`);
  for (const link of links) program.platform.openLink(link.address);
  return announced(`Opened ${links.length} links.`);
}

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
