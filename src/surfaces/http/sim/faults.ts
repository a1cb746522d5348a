/** `/sim/v1/faults`: the faults on clients and processes of a served cluster: listed, set and cleared, in the words of scenarios. */
import { performFault } from '../../../lab/simulation/index.ts';
import { formatProblem, parseFault } from '../../../lab/scenario/index.ts';
import { vocabulary } from '../../../lab/vocabulary.ts';
import { faultsWith, NO_DEFINITIONS, type Definitions } from '../../../lab/definitions/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { FaultRules } from '../../../controlplane/runtime/index.ts';
import type { Call } from '../call.ts';
import { reply } from '../answer/encode.ts';
import { badRequest, notFound, tooLarge } from '../refusals.ts';

/** Maximum bytes of a request, and of faults at a time. */
const LARGEST = 16 * 1024;
const MOST = 1000;

interface Set {
  readonly id: number;
  readonly fault: unknown;
  readonly detail: string;
  readonly since: number;
  /** The rules that it installed and that are active, with what removes each. */
  readonly active: Map<FaultRules, () => void>;
}

export type FaultList = ReturnType<typeof createFaultList>;

/** `changed` is called when faults were removed: what they held goes on. */
export function createFaultList(cluster: Cluster, changed: () => void, own: Definitions = NO_DEFINITIONS) {
  const sets = new Map<number, Set>();
  let last = 0;
  const words = vocabulary(own);
  const registered = faultsWith(own);
  const current = (): readonly Set[] => [...sets.values()].filter(({ active }) => active.size > 0);
  const items = () => ({ items: current().map((set) => told(set, cluster)) });
  return {
    list: ({ format }: Call) => reply(200, items(), format()),
    set({ http, format }: Call) {
      if (http.body.length > LARGEST) throw tooLarge(LARGEST);
      const read = parseFault(Buffer.from(http.body).toString('utf8'), { ...words, file: 'request' });
      if ('problems' in read) throw badRequest(read.problems.map(formatProblem).join('\n'));
      if (current().length >= MOST) throw badRequest(`there are ${MOST} faults already: DELETE /sim/v1/faults ends them`);
      const { name, subject, parameters } = read.fault;
      const active = new Map<FaultRules, () => void>();
      const failed = performFault(collecting(cluster, active), registered, read.fault);
      if (failed !== undefined) throw badRequest([failed.message, ...failed.detail].join('\n'));
      const set: Set = { id: ++last, fault: { [name]: subject, ...parameters }, detail: name, since: cluster.now, active };
      for (const [id, { active: rules }] of sets) if (rules.size === 0) sets.delete(id);
      sets.set(set.id, set);
      return reply(201, told(set, cluster), format());
    },
    /** Ends one fault, or all. */
    clear({ format }: Call, id: string | undefined) {
      const all = current();
      const ended = id === undefined ? all : all.filter((set) => String(set.id) === id);
      if (id !== undefined && ended.length === 0) {
        const known = all.map((set) => set.id).join(', ') || 'none';
        throw notFound(`there is no active fault ${JSON.stringify(id)}; there are ${known}`);
      }
      for (const { active } of ended) for (const lift of active.values()) lift();
      if (ended.length > 0) cluster.note({ type: 'fault', causes: [], fault: 'end', detail: `${ended.length} cleared on request` });
      changed();
      return reply(200, items(), format());
    },
  };
}

const told = ({ id, fault, since, active }: Set, { startAt }: Cluster) => ({
  id,
  fault,
  sinceStartSeconds: (since - startAt) / 1000,
  active: active.size > 0,
  says: [...active.keys()].flatMap(({ notice }) => (notice === undefined ? [] : [`${notice.process} ${notice.says}`])),
});

/** The cluster as a fault sees it: the rules that it installs are kept, until they are removed. */
function collecting(cluster: Cluster, active: Map<FaultRules, () => void>): Cluster {
  return Object.create(cluster, {
    addFaults: {
      value: (rules: FaultRules) => {
        const remove = cluster.addFaults(rules);
        const lift = (): void => {
          active.delete(rules);
          remove();
        };
        active.set(rules, lift);
        return lift;
      },
    },
  }) as Cluster;
}
