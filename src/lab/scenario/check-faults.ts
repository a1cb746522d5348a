/** Whom faults are about, as far as the file alone can say: the processes and nodes that its cluster will have. */
import { joinPath, type Located } from '../../grammar/yaml/index.ts';
import { nearest } from '../../grammar/values/index.ts';
import { memberAt, note, quoted, type CheckContext } from './context.ts';
import type { ClusterSpec, Scenario } from './types.ts';

/** Notes every fault whose process or node will never be there. Nodes that a step brings along are looked for when it runs. */
export function checkFaults({ cluster, manifests, steps: taken }: Scenario, document: Located, context: CheckContext): void {
  const steps = memberAt(document, 'spec', 'steps');
  const brings = [...manifests, ...taken.flatMap((step) => ('objects' in step ? step.objects : []))];
  if (steps?.shape !== 'list' || brings.some(({ object }) => object.kind === 'Node')) return;
  const known = { process: processesOf(cluster), node: cluster.nodes.map(({ name }) => name) };
  for (const [index, item] of steps.items.entries()) {
    const fault = memberAt(item, 'fault');
    const spec = context.vocabulary.faults.find(({ name }) => memberAt(fault, name) !== undefined);
    const about = spec?.subject.type === 'string' ? spec.subject.names : undefined;
    const subject = spec === undefined ? undefined : memberAt(fault, spec.name);
    if (spec === undefined || about === undefined || typeof subject?.plain !== 'string' || known[about].includes(subject.plain)) continue;
    note(
      context,
      subject,
      joinPath(`spec.steps[${index}].fault`, spec.name),
      `a ${about} of this cluster (${some(known[about])})`,
      JSON.stringify(subject.plain),
      quoted(nearest(subject.plain, known[about])),
    );
  }
}

const MANY = 8;
const some = (names: readonly string[]): string =>
  names.length === 0 ? 'it has none' : `${names.slice(0, MANY).join(', ')}${names.length > MANY ? ', …' : ''}`;

export function processesOf({ nodes, storageDrivers, schedulers = 1, controllerManagers = 1 }: ClusterSpec): readonly string[] {
  const candidates = (name: string, count: number) => Array.from({ length: count }, (_, at) => (at === 0 ? name : `${name}-${at}`));
  return [
    ...candidates('controller-manager', controllerManagers),
    ...candidates('scheduler', schedulers),
    ...nodes.map(({ name }) => `agent/${name}`),
    ...storageDrivers.map(({ name }) => `storage-driver/${name}`),
  ];
}
