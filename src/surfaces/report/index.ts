/**
 * Reports of runs: text for terminals, JSON for programs, JUnit for continuous integration, timelines, tables and YAML of objects. This
 * module turns data into text; the command line prints it.
 */
export { PLAIN, type Palette } from './palette.ts';
export { ERASE_LINE, printable, sealed, steers } from './terminal.ts';
export { count, fittedTable, grouped, pad, table, widthOf } from './table.ts';
export { wrapLine } from './wrap.ts';
export { summarize, type RunSummary } from './summary.ts';
export { explain, replayCommand, shellWord, type Explanation } from './explain.ts';
export { factsLine, failureLines, livenessLines, lintWarningLines, replayLines, runLine, totalsLines } from './text.ts';
export { cacheViewText } from './cache-view.ts';
export { runsJson, type Unread, type Unrun } from './json.ts';
export { junit } from './junit.ts';
export { describeFailures } from './assert.ts';
export { createTimeline } from './timeline.ts';
export { paintLines, paintParts } from './paint.ts';
export { objectTable, objectYaml } from './objects.ts';
export { kindJsonSchema } from './kind-schema.ts';
export { scenarioSchema } from './scenario-schema.ts';
export { coverageLines, coverageReport, reasonsOf, type Known } from './coverage.ts';
export { failureKey, groupByFailure, mergeSweep, sweepLines, sweepsJunit, type CommonFeatures } from './sweep.ts';
export { perfettoEvents, perfettoText } from './perfetto.ts';
export { shivizLines } from './shiviz.ts';
