/** Reports of runs: text, JSON, JUnit, timelines, tables, YAML. This module turns data into text; the command line prints it. */
export { cameThrough, whatIfJson, whatIfJunit, whatIfLines } from './what-if.ts';
export { agrees, importedLines, incidentJson, judgedLines } from './incident.ts';
export { heldRehearsal, rehearsalJson, rehearsalJunit, rehearsalLines } from './rehearsal.ts';
export { PLAIN, type Palette, paintLines, paintParts, eraseLine, printable, sealed, steers } from './terminal.ts';
export { count, fittedTable, grouped, pad, table, widthOf, wrapLine } from './table.ts';
export { objectTable, objectYaml } from './objects.ts';
export { summarize, type RunSummary } from './summary.ts';
export { runsJson, type Unread, type Unrun } from './json.ts';
export { explain, replayCommand, shellWord, STDIN, type Explanation, cacheViewText } from './explain.ts';
export {
  factsLine,
  failureLines,
  firstWriteLines,
  livenessLines,
  lintWarningLines,
  replayLines,
  runLine,
  totalsLines,
  describeFailures,
} from './text.ts';
export { junit, junitDocument, type JunitSuite } from './junit.ts';
export { createTimeline } from './timeline.ts';
export { kindJsonSchema, scenarioSchema } from './kind-schema.ts';
export { coverageLines, coverageReport, reasonsOf, type Known } from './coverage.ts';
export { failureKey, groupByFailure, mergeSweep, sweepLines, sweepsJunit, sweepTotals, type CommonFeatures } from './sweep.ts';
export { perfettoEvents, perfettoText, shivizLines } from './exports.ts';
