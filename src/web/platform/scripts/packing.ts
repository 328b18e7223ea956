// A script's state as one JSON text, in which a task that is selected in the open list stands once. The prelude puts it together
// again, so that it is the same object in both places.
import type { ScriptState, ScriptTask } from '#client/macros/script/model.ts';

/** So many tasks at once: a few milliseconds of work. */
const AT_ONCE = 200;

/** The parts of the text in their order, made one by one. Tasks are the same where they are the same object. */
export function* piecesOf({ selectedList, selectedTasks, ...rest }: ScriptState): Generator<string, void> {
  const tasks: ScriptTask[] = [];
  const places = new Map<ScriptTask, number>();
  const placeOf = (task: ScriptTask): number => {
    let place = places.get(task);
    if (place === undefined) {
      place = tasks.push(task) - 1;
      places.set(task, place);
    }
    return place;
  };
  const selected = selectedTasks.map(placeOf);
  const { tasks: members, ...list } = selectedList ?? { tasks: [] };
  const listTasks = members.map(placeOf);
  const others = { selected, list: selectedList === null ? null : list, listTasks, ...rest };
  yield `${JSON.stringify(others).slice(0, -1)},"tasks":[`;
  for (let at = 0; at < tasks.length; at += AT_ONCE)
    yield (at === 0 ? '' : ',') + JSON.stringify(tasks.slice(at, at + AT_ONCE)).slice(1, -1);
  yield ']}';
}

/** The whole text. */
export function packed(state: ScriptState): string {
  return [...piecesOf(state)].join('');
}
