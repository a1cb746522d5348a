/**
 * The trace of a run: its entries, the objects at any step, chains of causes, differences between revisions, one line for each entry, and
 * trace files.
 */
export { recordTrace, entryAt, stepOf, stepAt, type Asked, type NarrationStep, type Entry, type ObjectName, type Trace } from './trace.ts';
export { renewalIntervalsOf } from './renewal-intervals.ts';
export { viewAt, viewsOf, type View } from './views.ts';
export { cacheViewOf, type CacheView } from './cache-view.ts';
export type { Unseen } from './staleness.ts';
export { cursorAt, type Cursor, type World } from './cursor.ts';
export { causesOf, chainOf, lastWriteOf, storyOf, writesOf, type CauseLink } from './causes.ts';
export { changesBetween, type ObjectChange, formatChange, isHeartbeat, isInstant, summarizeChange } from './change-text.ts';
export { diffValues, valueAt, type PathChange } from './diff.ts';
export { authorOf, createRelevance, goesOn, shortKey, toneOf, type Tone } from './entries.ts';
export { formatLine, formatParts, formatSince, lineParts, partsOf, whyOf, type LineParts } from './line.ts';
export { firstDivergence, collectFeatures, distinguish, withoutChance, type Features, type DiscriminatingFeature } from './features.ts';
export { createLineReader, entryLine, isEntryLine, renewalIntervalLine, readTrace, traceLines, type TraceHead } from './json.ts';
export { createRedaction, redacted } from './redact.ts';
export { windowOf } from './window.ts';
export { headline, headlineOf, wordsFor, type ObjectRevisions } from './headline.ts';
