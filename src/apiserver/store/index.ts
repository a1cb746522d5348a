/** The object store: frozen objects by kind and key, one revision, indexes, and the log of changes. Only the server writes to it. */
export { type Change, type ChangeType, createCompaction, weightOf } from './change-log.ts';
export { createTable, type IndexName, type Table, type Tally } from './table.ts';
export { createStore, type Derived, type Store, type WritableStore } from './store.ts';
