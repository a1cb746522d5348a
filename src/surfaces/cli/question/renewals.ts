/** Elided lease renewals: they have no trace entries, but each has an instant, a revision and an author. */
import { storeKey } from '../../../apiserver/machinery/index.ts';
import { formatSince, renewalIntervalsOf, type ObjectName, type Trace } from '../../../lab/trace/index.ts';
import { formatDurationMs } from '../../../schema/values/index.ts';
import type { Palette } from '../../report/index.ts';

/** The last elided renewal before a moment. */
export interface Renewed {
  readonly at: number;
  readonly revision: number;
  readonly process: string;
  readonly controller: string;
  readonly everyMs: number;
}

/** Returns the last elided renewal of a lease, after its write of revision `since` (0: any) and up to an instant. */
export function lastRenewal(trace: Trace, { kind, namespace, name }: ObjectName, since: number, at: number): Renewed | undefined {
  const found = kind === 'Lease' ? renewalIntervalsOf(trace).renewal(storeKey(namespace, name), since, at) : undefined;
  if (found === undefined) return undefined;
  const { process, controller, everyMs } = found.renewalInterval;
  return { at: found.at, revision: found.revision, process, controller, everyMs };
}

const seconds = (ms: number): string => (ms % 1_000 === 0 ? `${ms / 1_000} s` : formatDurationMs(ms));

/** Describes the author and the period of the renewals. */
export const renewedBy = ({ process, everyMs }: Renewed): string => `by ${process} every ${seconds(everyMs)}`;

/** Explains the state of a lease that has had only elided renewals since the start. */
export const renewalLines = (renewed: Renewed, about: string, startAt: number, palette: Palette): readonly string[] => [
  palette.strong(about),
  `  renewed  ${palette.strong(`${renewedBy(renewed)}, last at ${formatSince(renewed.at - startAt)} (rv ${renewed.revision})`)}`,
  `  because  ${palette.strong('a lease is renewed before it expires, as long as its holder runs')}`,
  `           ${palette.dim(`decided by ${renewed.controller} in ${renewed.process}; its renewals are computed, not recorded as steps`)}`,
];
