// What stands in a script's world beside JavaScript: the console, and the functions that carry text in and out. They keep
// what they use, because a script may replace any of it.

/** Name of the script in stacks, from which its lines are read. */
export const SCRIPT_NAME = 'macro.js';

/**
 * Evaluates to a function that is called with `write`, which takes the console's lines as JSON texts. It returns the functions
 * that the host calls: `open` (JSON texts of variables and state → both), `kindOf`, `read` (the returned object → what it
 * holds, as JSON) and `take` (the text of one of its members: after a `=`, or as JSON where a C string would lose some).
 */
export const PRELUDE = `(write) => {
  'use strict';
  const { parse, stringify } = JSON;
  const { keys, getPrototypeOf, setPrototypeOf } = Object;
  const { isArray } = Array;
  const text = String;
  const { apply } = Reflect;
  const { slice, indexOf, isWellFormed } = String.prototype;
  const cut = (value, length) => apply(slice, value, [0, length]);
  const inWords = (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'object' && value !== null) {
      const { message, name } = value;
      if (typeof message === 'string' && typeof name === 'string') return name + ': ' + message;
      const json = stringify(value);
      if (json !== undefined) return json;
    }
    return text(value);
  };
  const log = function log(...values) {
    let line = '';
    for (let at = 0; at < values.length; at += 1) line += (at === 0 ? '' : ' ') + inWords(values[at]);
    write(stringify(cut(line, 65536)));
  };
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  const kept = [];
  setPrototypeOf(kept, null);
  const kindOf = (value) => (value === null ? 'null' : isArray(value) ? 'array' : typeof value);
  return {
    open(variables, packed) {
      const { tasks, list, listTasks, selected, ...rest } = parse(packed);
      const chosen = [];
      for (let at = 0; at < selected.length; at += 1) chosen[at] = tasks[selected[at]];
      if (list !== null) {
        list.tasks = [];
        for (let at = 0; at < listTasks.length; at += 1) list.tasks[at] = tasks[listTasks[at]];
      }
      return [parse(variables), { selectedList: list, selectedTasks: chosen, ...rest }];
    },
    read(value, names, characters) {
      const found = keys(value);
      if (found.length > names) return text(found.length);
      let json = '[';
      for (let at = 0; at < found.length; at += 1) {
        const name = found[at];
        const member = value[name];
        const isText = typeof member === 'string' && member.length <= characters;
        if (isText) kept[at] = member;
        const what = isText ? '"text"' : typeof member === 'string' ? member.length : stringify(kindOf(member));
        json += (at === 0 ? '' : ',') + '[' + stringify(cut(name, 100)) + ',' + what + ']';
        if (!isText) break;
      }
      return json + ']';
    },
    take(at) {
      const value = kept[at];
      const isPlain = apply(isWellFormed, value, []) && apply(indexOf, value, ['\0']) === -1;
      return isPlain ? '=' + value : stringify(value);
    },
    kindOf,
  };
}`;
