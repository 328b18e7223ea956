// A script's state as one JSON text, in which a task that is selected in the open list stands once. The prelude puts it together
// again, so that it is the same object in both places.
import type { ScriptState, ScriptTask } from '#client/macros/script/model.ts';

/** Tasks are the same where they are the same object. */
export function packed({ selectedList, selectedTasks, ...rest }: ScriptState): string {
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
  return JSON.stringify({
    tasks,
    selected,
    list: selectedList === null ? null : list,
    listTasks: members.map(placeOf),
    ...rest,
  });
}
