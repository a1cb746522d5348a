/** What happened: the record of a run, the world at any of its steps, chains of causes, differences between revisions, and a line an entry. */
export { recordTrace, entryAt, stepOf, stepAt, type CheckEntry, type Entry, type NoteEntry, type Trace, type TraceRecorder } from './trace.ts';
export { cursorAt, type Cursor, type World } from './cursor.ts';
export { causesOf, chainOf, writesOf, type CauseLink } from './causes.ts';
export { diffValues, type PathChange } from './diff.ts';
export { formatChange, formatLine, formatSince, lineParts, whyOf, type LineParts } from './line.ts';
