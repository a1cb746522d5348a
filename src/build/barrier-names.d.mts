export {
  assignAll as $assign,
  deleteProperty as $deleteProperty,
  noteAll as $all,
  noteDelete as $delete,
  noteField as $field,
  notePop as $pop,
  notePush as $push,
  noteShift as $shift,
  noteVariable as $variable,
  recording as $recording,
  setField as $set,
  spliced as $splice,
  unshifted as $unshift,
} from '../engine/undo/log.ts';
export {
  UndoableMap as $Map,
  UndoableSet as $Set,
  UndoableWeakMap as $WeakMap,
  UndoableWeakSet as $WeakSet,
} from '../engine/undo/tables.ts';
