/** The object store: frozen objects by kind and key, one revision, indexes, and the log of changes. Only the server writes to it. */
export { type Change, type ChangeType } from './change-log.ts';
export { createCompaction } from './compaction.ts';
export { weightOf, createTable, type Table, type Tally } from './table.ts';
export { createStore, type Store, type WritableStore } from './store.ts';
export type { Derived, IndexName } from './indexes.ts';
