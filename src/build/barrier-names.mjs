// What the write barrier puts into scripts, by the names that it writes there. The bundler imports them where they occur.
export {
  recording as $recording,
  noteField as $field,
  setField as $set,
  noteAll as $all,
  noteDelete as $delete,
  deleteProperty as $deleteProperty,
  assignAll as $assign,
  noteVariable as $variable,
  notePush as $push,
  notePop as $pop,
  noteShift as $shift,
  spliced as $splice,
  unshifted as $unshift,
} from '../engine/undo/log.ts';
export {
  UndoableMap as $Map,
  UndoableSet as $Set,
  UndoableWeakMap as $WeakMap,
  UndoableWeakSet as $WeakSet,
} from '../engine/undo/tables.ts';
