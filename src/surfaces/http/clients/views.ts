/** What the active faults do to a client: they are the rules that a cluster has for its own processes, and the views of clients. */
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { ClientView } from '../../../controlplane/runtime/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';

/** The views of all faults on a client, together; an empty one: it is shown what is. */
export function viewOf({ faults }: Pick<Cluster, 'faults'>, client: string, kind: string): ClientView {
  let found: ClientView | undefined;
  for (const rules of faults) {
    const view = rules.view?.(client, kind);
    if (view !== undefined) found = found === undefined ? view : together(found, view);
  }
  return found ?? NOTHING;
}

const NOTHING: ClientView = {};

/** Of two frozen states the older is shown; what delays adds up or lasts longer. */
function together(one: ClientView, other: ClientView): ClientView {
  const older = (other.frozenAt ?? Infinity) < (one.frozenAt ?? Infinity) ? other : one;
  const { frozenAt, onlyCached } = older;
  const most = (name: 'heldUntil' | 'readsEveryMs'): number => Math.max(one[name] ?? 0, other[name] ?? 0);
  return {
    ...(frozenAt === undefined ? {} : { frozenAt, onlyCached: onlyCached === true }),
    heldUntil: most('heldUntil'),
    readsEveryMs: most('readsEveryMs'),
    requestsTakeMs: (one.requestsTakeMs ?? 0) + (other.requestsTakeMs ?? 0),
    withoutBookmarks: one.withoutBookmarks === true || other.withoutBookmarks === true,
  };
}

/** When a client that is cut off is connected again, milliseconds since the epoch; 0: it is connected. */
export function cutUntil({ faults, now }: Pick<Cluster, 'faults' | 'now'>, client: string): number {
  let until = 0;
  for (const rules of faults) until = Math.max(until, rules.cutUntil?.(client) ?? 0);
  return until > now ? until : 0;
}

/** How much later than it happens a change reaches a client, milliseconds. */
export function lagOf({ faults, now }: Pick<Cluster, 'faults' | 'now'>, client: string, change: Change): number {
  let lag = 0;
  for (const rules of faults) lag += rules.delivery?.(client, change, now) ?? 0;
  return lag;
}
