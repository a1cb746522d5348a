/**
 * The page: one HTML file that opens from disk, with the engine inside. This module runs in Node: it adds scenarios to the file that the
 * build made. The code in the browser starts at `main.tsx` (the page) and `worker/main.ts` (the engine).
 */
export type { CarriedRun, CarriedScenario, LessonCard, PageData, RunData } from './protocol.ts';
export { runOfTrace, whyNotBeside } from './from-trace.ts';
export { pageHtml } from './html.ts';
export { lessonCardOf } from './model/picture.ts';
export { recordingText } from './packing.ts';
export { LONGEST, runDataOf, stretchFor, type Span } from './run-data.ts';
