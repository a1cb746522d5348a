/** What a question to a cluster from a dump changes: workloads, nodes, evictions, restarts, what waits and why. */
export { type Answer, ASKED_AT_MS, askWhatIf, objectsAt, withoutQuestion, withQuestion } from './ask.ts';
export { collectEffects, type Effects, titleOf, type Load, type NodeEffect, type WorkloadEffect } from './effects.ts';
