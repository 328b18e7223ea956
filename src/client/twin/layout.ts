// Writes the tasks of a list into its file with the fewest changed lines: what is as it should be stays byte for byte, and lines that
// belong to no task stay where they are.
import type { Id } from '#core/ids.ts';
import { BOX, printLine } from './line.ts';
import { escapeNote, headWith, readFile, textOf, type Block, type Line, type TwinFile } from './file.ts';
import { isSameContent, type TwinTask } from './model.ts';
import { increasing } from './order.ts';

/** Everything that is needed to write one file. */
export interface Layout {
  readonly list: Id;
  readonly zone: string;
  /** In the order of lines. */
  readonly tasks: readonly TwinTask[];
  readonly blockOf: (id: Id) => Block | undefined;
  readonly markOf: (id: Id) => string;
}

interface Placed {
  readonly task: TwinTask;
  readonly block: Block | undefined;
  /** It stays at its place among the lines. */
  isAnchor: boolean;
  indent: string;
}

function unitOf(file: TwinFile): string {
  const nested = file.blocks.find(({ parent }) => parent !== null);
  if (nested?.parent && nested.indent.startsWith(nested.parent.indent))
    return nested.indent.slice(nested.parent.indent.length);
  return '  ';
}

class Writer {
  readonly #file: TwinFile;
  readonly #layout: Layout;
  readonly #unit: string;

  constructor(file: TwinFile, layout: Layout) {
    this.#file = file;
    this.#layout = layout;
    this.#unit = unitOf(file);
  }

  text(isEvenlyIndented: boolean): string {
    const file = this.#file;
    const placed = this.#placed(isEvenlyIndented);
    const lines: Line[] = [...headWith(file, this.#layout.list)];
    const kept = new Map(placed.flatMap((each) => (each.isAnchor ? [[each.block, each] as const] : [])));
    // Tails of blocks that leave their place go to the block before.
    const tails = new Map<Block | null, Line[]>([[null, []]]);
    let anchor: Block | null = null;
    for (const block of file.blocks) {
      if (kept.has(block)) tails.set((anchor = block), []);
      tails.get(anchor)?.push(...block.tail);
    }
    anchor = null;
    for (const each of placed) {
      if (each.isAnchor && each.block) {
        lines.push(...(tails.get(anchor) ?? []));
        anchor = each.block;
      }
      lines.push(...this.#linesOf(each));
    }
    lines.push(...(tails.get(anchor) ?? []));
    const lacksEnd = file.blocks.length > 0 && this.#lastEnd() === '';
    return textOf(closed(lines, lacksEnd, file.eol), file);
  }

  #lastEnd(): Line['end'] | undefined {
    const last = this.#file.blocks.at(-1);
    return (last?.tail.at(-1) ?? last?.lines.at(-1) ?? this.#file.head.at(-1))?.end;
  }

  #placed(isEvenlyIndented: boolean): readonly Placed[] {
    const { tasks, blockOf } = this.#layout;
    const known = new Map<Id, Placed>();
    const at = new Map(this.#file.blocks.map((block, index) => [block, index]));
    for (const task of tasks) {
      const own = blockOf(task.id);
      const block = own !== undefined && at.has(own) ? own : undefined;
      const above = task.parent === null ? undefined : known.get(task.parent);
      const isUnmoved = block !== undefined && block.parent === (above?.block ?? null);
      const isRight = isUnmoved && (above === undefined || above.indent === above.block?.indent);
      const indent = above === undefined ? '' : above.indent + this.#unit;
      known.set(task.id, {
        task,
        block: own,
        isAnchor: false,
        indent: isRight && !isEvenlyIndented ? block.indent : indent,
      });
    }
    const placed = [...known.values()];
    const inFile = placed.filter(({ block }) => block !== undefined && at.has(block));
    const stay = increasing(inFile.map(({ block }) => (block && at.get(block)) ?? 0));
    for (const [index, each] of inFile.entries()) each.isAnchor = stay.has(index);
    return placed;
  }

  #linesOf({ task, block, indent }: Placed): readonly Line[] {
    const { eol } = this.#file;
    const { markOf, zone } = this.#layout;
    const mark = markOf(task.id);
    const isSame = block !== undefined && block.mark === mark && isSameContent(block.content, task);
    if (isSame && block.indent === indent) return block.lines;
    const found = block && BOX.exec(block.lines[0]?.text ?? '');
    const [, , bullet = '-', gap = ' ', oldBox = ' ', space = ' ', rest = ''] = found ?? [];
    const wasDone = /x/i.test(oldBox);
    const box = wasDone === task.isDone ? oldBox : task.isDone ? 'x' : ' ';
    const text = isSame ? rest : printLine(task, mark, zone);
    const first: Line = {
      text: `${indent}${bullet}${gap}[${box}]${space}${text}`,
      end: block?.lines[0]?.end || eol,
    };
    if (block && block.content.notes === task.notes && block.indent === indent)
      return [first, ...block.lines.slice(1)];
    const inner = this.#unit.includes('\t') ? `${indent}\t` : `${indent}  `;
    const notes = task.notes === '' ? [] : task.notes.split('\n');
    return [
      first,
      ...notes.map((line): Line => ({ text: line === '' ? '' : inner + escapeNote(line), end: eol })),
    ];
  }
}

/** Lines that end as the file did. */
function closed(lines: readonly Line[], lacksEnd: boolean, eol: '\n' | '\r\n'): readonly Line[] {
  const last = lines.at(-1);
  if (last === undefined) return lines;
  if (lacksEnd === (last.end === '')) return lines;
  return [...lines.slice(0, -1), { text: last.text, end: lacksEnd ? '' : eol }];
}

function isAsWanted(text: string, { tasks, markOf, zone }: Layout): boolean {
  const labels = new Set(tasks.flatMap((task) => task.labels));
  const { blocks } = readFile(text, { now: 0, zone, labels }, () => null);
  return (
    blocks.length === tasks.length &&
    blocks.every(({ mark, parent }, at) => {
      const task = tasks[at];
      return (
        task && mark === markOf(task.id) && (parent?.mark ?? null) === (task.parent && markOf(task.parent))
      );
    })
  );
}

/** The text of the file with these tasks. */
export function layOut(file: TwinFile, layout: Layout): string {
  const writer = new Writer(file, layout);
  const text = writer.text(false);
  return isAsWanted(text, layout) ? text : writer.text(true);
}
