/**
 * The truth: frozen objects by kind and key, one global revision, secondary indexes, and the log of changes that watches read.
 * Only the server writes here. Objects are never copied: a revision is a reference.
 */
export { createStore, type ChangeListener, type Store, type WritableStore } from './store.ts';
export { createIndex, type Index } from './object-index.ts';
export type { Change, ChangeType } from './change.ts';
export { OBJECT_INDEXES, type IndexName, type IndexRule } from './indexes.ts';
export { createTable, type Table, type Tally } from './table.ts';
