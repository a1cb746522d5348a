/** Why an object is as it is: its last write before a moment, the sentence of the decision behind it, and the chain of causes. */
import { causesOf, diffValues, entryAt, lineParts, storyOf, whyOf, writesOf, type Entry, type LineParts, type ObjectName, type Trace } from '../../../lab/trace/index.ts';
import { BadInput } from '../exit.ts';
import type { Moment } from './moment.ts';

export interface Why {
  readonly step: number;
  readonly line: LineParts;
  /** The decision's sentence, or nothing when nobody decided: an operation, a fault. */
  readonly because: string;
  readonly decidedBy?: { readonly step: number; readonly process: string; readonly controller: string };
  /** Newest first. */
  readonly causes: readonly { readonly step: number; readonly depth: number; readonly line: LineParts }[];
}

/** The decision that an entry carries out. */
function decisionOf(trace: Trace, entry: Entry): Why['decidedBy'] {
  for (const { step, entry: cause } of causesOf(trace, stepNumber(trace, entry), 20)) {
    if (cause.type === 'reconcile' && entry.causes.includes(cause.id)) return { step, process: cause.process, controller: cause.controller };
  }
  return undefined;
}

const stepNumber = (trace: Trace, entry: Entry): number => trace.entries.indexOf(entry) + 1;

/** Explains a step; with `all`, every cause instead of the latest of each. */
export function whyStep(trace: Trace, step: number, all: boolean): Why {
  const entry = entryAt(trace, step);
  const line = lineParts(trace, step);
  if (entry === undefined || line === undefined) throw new BadInput(`there is no step #${step}: the run has ${trace.entries.length}`);
  const decidedBy = decisionOf(trace, entry);
  const links = all ? causesOf(trace, step) : storyOf(trace, step);
  const causes = links.flatMap((link) => { const parts = lineParts(trace, link.step); return parts === undefined ? [] : [{ step: link.step, depth: link.depth, line: parts }]; });
  return { step, line, because: entry.type === 'reconcile' ? entry.why : whyOf(trace, entry), ...(decidedBy === undefined ? {} : { decidedBy }), causes };
}

/** The step that wrote an object last; with a field, the last that changed that field. Undefined when that was before the start. */
export function writeBefore(trace: Trace, target: ObjectName, moment: Moment, field: string | undefined): number | undefined {
  const steps = writesOf(trace, target).filter((step) => step <= moment.step);
  if (field === undefined) return steps.at(-1);
  return steps.findLast((step) => {
    const entry = entryAt(trace, step);
    if (entry?.type !== 'write') return false;
    const { previous, object, type } = entry.change;
    return diffValues(type === 'ADDED' ? {} : previous, type === 'DELETED' ? undefined : object).some(({ path }) => touches(path, field));
  });
}

/** Whether a change at a path changes a field: it, something inside it, or what holds it. */
const touches = (path: string, field: string): boolean => path === '' || path === field || inside(path, field) || inside(field, path);
const inside = (inner: string, outer: string): boolean => inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length));
