/**
 * The object store: frozen objects by kind and key, one global revision, secondary indexes, and the log of changes that watches read. Only
 * the server writes to it. Objects are never copied: a revision is a reference.
 */
export { createCompaction } from './compaction.ts';
export { weightOf } from './weight.ts';
export { createStore, type Store, type WritableStore } from './store.ts';
export type { Change, ChangeType } from './change-log.ts';
export type { Derived, IndexName } from './indexes.ts';
export { createTable, type Table, type Tally } from './table.ts';
