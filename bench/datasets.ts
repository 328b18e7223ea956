// How many tasks there are, and in how many lists.

export interface Dataset {
  readonly name: string;
  readonly tasks: number;
  readonly lists: number;
}

const thousands = new Intl.NumberFormat('en');

export function datasetOf(tasks: number, lists = 1): Dataset {
  const name = thousands.format(tasks);
  return { name: lists === 1 ? name : `${name} in ${lists} lists`, tasks, lists };
}

/** Tasks of the list that is open. */
export function openCount({ tasks, lists }: Dataset): number {
  return Math.ceil(tasks / lists);
}

/** Reads `1000`, or `100000/200` for so many tasks spread over so many lists; undefined when it is neither. */
export function parseDataset(text: string): Dataset | undefined {
  const match = /^(\d{1,7})(?:\/(\d{1,4}))?$/.exec(text);
  if (!match) return undefined;
  const tasks = Number(match[1]);
  const lists = Number(match[2] ?? 1);
  return tasks >= 100 && lists >= 1 && lists <= tasks ? datasetOf(tasks, lists) : undefined;
}
