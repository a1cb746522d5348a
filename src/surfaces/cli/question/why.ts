/** Explains a step: the reason of its decision, the chain of causes, and renewals of leases, which have no trace entries. */
import { causesOf, entryAt, lineParts, cacheViewOf, storyOf, whyOf, formatSince, renewalIntervalsOf } from '../../../lab/trace/index.ts';
import type { Entry, CacheView, Trace, ObjectName } from '../../../lab/trace/index.ts';
import { BadInput } from '../exit.ts';
import { storeKey } from '../../../apiserver/machinery/index.ts';
import { formatDurationMs } from '../../../schema/values/index.ts';
import type { Palette } from '../../report/index.ts';

/** `renewed`: the last elided renewal of a lease since then, which has no trace entry. */
export type Why = ReturnType<typeof whyStep> & { readonly renewed?: Renewed | undefined };

function decisionOf(trace: Trace, entry: Entry) {
  for (const { step, entry: cause } of causesOf(trace, stepNumber(trace, entry), 20)) {
    if (cause.type === 'reconcile' && entry.causes.includes(cause.id))
      return { step, process: cause.process, controller: cause.controller };
  }
  return undefined;
}

const stepNumber = (trace: Trace, entry: Entry): number => trace.entries.indexOf(entry) + 1;

/** Explains a step; `all`: with every cause instead of the latest of each. The newest cause is the first. */
export function whyStep(trace: Trace, step: number, all: boolean) {
  const entry = entryAt(trace, step);
  const line = lineParts(trace, step);
  if (entry === undefined || line === undefined) throw new BadInput(`there is no step #${step}: the run has ${trace.entries.length}`);
  const decidedBy = decisionOf(trace, entry);
  const cacheView = cacheViewOf(trace, step);
  const links = withReasons(all ? causesOf(trace, step) : storyOf(trace, step), cacheView);
  const causes = links.flatMap((link) => {
    const parts = lineParts(trace, link.step);
    return parts === undefined ? [] : [{ step: link.step, depth: link.depth, line: parts }];
  });
  return {
    step,
    line,
    /** The reason of the decision; empty for an operation or a fault. */
    because: entry.type === 'reconcile' ? entry.why : whyOf(trace, entry),
    decidedBy,
    /** What the cache of the deciding process did not show, and why; undefined: there was no decision, or the cache was up to date. */
    cacheView: cacheView?.unseen.length === 0 ? undefined : cacheView,
    causes,
  };
}

type Link = Readonly<Record<'step' | 'depth', number>>;

/** The reasons for a stale cache are causes of a decision too. */
function withReasons(links: readonly Link[], cacheView: CacheView | undefined): readonly Link[] {
  const known = new Set(links.map(({ step }) => step));
  const more = (cacheView?.reasons ?? []).filter(({ step }) => !known.has(step)).map(({ step }) => ({ step, depth: 1 }));
  return more.length === 0 ? links : [...links, ...more].sort((a, b) => b.step - a.step);
}

/** The last elided renewal of a lease up to an instant, after the write of a step. */
export function renewalOf(trace: Trace, step: number, at: number): Renewed | undefined {
  const entry = entryAt(trace, step);
  if (entry?.type !== 'write' || entry.change.type === 'DELETED') return undefined;
  const { kind, revision } = entry.change;
  const { name, namespace } = entry.change.object.metadata;
  return lastRenewal(trace, { kind, name, ...(namespace === undefined ? {} : { namespace }) }, revision, at);
}

type Renewed = NonNullable<ReturnType<typeof lastRenewal>>;

/** Returns the last elided renewal of a lease, after its write of revision `since` (0: any) and up to an instant. */
export function lastRenewal(trace: Trace, { kind, namespace, name }: ObjectName, since: number, at: number) {
  const found = kind === 'Lease' ? renewalIntervalsOf(trace).renewal(storeKey(namespace, name), since, at) : undefined;
  if (found === undefined) return undefined;
  const { process, controller, everyMs } = found.renewalInterval;
  return { at: found.at, revision: found.revision, process, controller, everyMs };
}

const seconds = (ms: number): string => (ms % 1_000 === 0 ? `${ms / 1_000} s` : formatDurationMs(ms));

export const renewedBy = ({ process, everyMs }: Renewed): string => `by ${process} every ${seconds(everyMs)}`;

/** Explains the state of a lease that has had only elided renewals since the start. */
export const renewalLines = (renewed: Renewed, about: string, startAt: number, palette: Palette): readonly string[] => [
  palette.strong(about),
  `  renewed  ${palette.strong(`${renewedBy(renewed)}, last at ${formatSince(renewed.at - startAt)} (rv ${renewed.revision})`)}`,
  `  because  ${palette.strong('a lease is renewed before it expires, as long as its holder runs')}`,
  `           ${palette.dim(`decided by ${renewed.controller} in ${renewed.process}; its renewals are computed, not recorded as steps`)}`,
];
