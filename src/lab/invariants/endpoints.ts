/** What must hold of Endpoints and EndpointSlices: in the end both say of a Service what its pods say. */
import { type ApiObject, keyOf } from '../../apiserver/machinery/index.ts';
import type { Endpoints, EndpointSlice, Pod, Service } from '../../apiserver/kinds/index.ts';
import { belongsInEndpoints, isHeadless, isReady, podPorts, selectsPods } from '../../controlplane/shared/index.ts';
import { compareText, labelMatcher } from '../../schema/values/index.ts';
import { type Checker, type Facts, type Invariant, withExercised } from './invariant.ts';

/** An Endpoints object holds no more, and says so. */
const MOST = 1_000;

/** The addresses of the pods behind a service that are ready, as they should be told. */
function readyPods(service: Service, facts: Facts, needsPort: boolean): readonly string[] {
  const matches = labelMatcher({ matchLabels: service.spec.selector ?? {} });
  const all = service.spec.publishNotReadyAddresses === true;
  const bare = !needsPort || (isHeadless(service) && (service.spec.ports ?? []).length === 0);
  const found: string[] = [];
  for (const object of facts.by('Pod', 'namespace', service.metadata.namespace ?? '')) {
    const pod = object as Pod;
    if (!matches(pod.metadata.labels ?? {}) || !belongsInEndpoints(pod, all)) continue;
    if ((all || isReady(pod)) && (bare || podPorts(pod, service).length > 0)) found.push(pod.status.podIP ?? '');
  }
  return [...new Set(found)].sort(compareText);
}

const inEndpoints = ({ subsets = [] }: Endpoints): readonly string[] =>
  [...new Set(subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)))].sort(compareText);

const inSlices = (slices: readonly EndpointSlice[]): readonly string[] =>
  [
    ...new Set(
      slices.flatMap(({ endpoints }) =>
        (endpoints ?? []).flatMap(({ addresses, conditions }) => (conditions?.ready === false ? [] : addresses)),
      ),
    ),
  ].sort(compareText);

const listed = (addresses: readonly string[]): string => (addresses.length === 0 ? 'none' : addresses.join(', '));

/** What tells of a service, in one of the two forms. */
interface Form {
  readonly name: string;
  readonly description: string;
  readonly kind: 'Endpoints' | 'EndpointSlice';
  /** Whether a pod is told of only where it has a port that the service names; else it is told of without ports. */
  readonly needsPort: boolean;
  /** Which service an object tells of. */
  serviceOf(object: ApiObject, facts: Facts): string | undefined;
  /** What is told of it, where all of that is. */
  reported(service: string, objects: readonly ApiObject[]): readonly string[] | undefined;
}

const agree = ({ name, description, kind, needsPort, serviceOf, reported }: Form): Invariant => ({
  name,
  temporal: 'stable',
  description,
  kinds: [kind],
  check(): Checker {
    /** What the controller wrote last itself: what a person changed afterwards is a person's. */
    const own = new Set<string>();
    let exercised = 0;
    return withExercised(
      { exercised: () => exercised },
      {
        describe: () => own,
        onChange({ type, object }, _facts, controller) {
          const key = keyOf(object);
          if (type === 'DELETED' || controller === undefined) own.delete(key);
          else own.add(key);
          return undefined;
        },
        onEnd(facts, settled) {
          if (!settled) return undefined;
          const byService = new Map<string, ApiObject[]>();
          for (const object of facts.list(kind)) {
            const service = own.has(keyOf(object)) ? serviceOf(object, facts) : undefined;
            if (service !== undefined) byService.set(service, [...(byService.get(service) ?? []), object]);
          }
          for (const [key, objects] of byService) {
            const service = facts.get('Service', key) as Service | undefined;
            const says = reported(key, objects);
            if (service === undefined || says === undefined || !selectsPods(service)) continue;
            const wanted = readyPods(service, facts, needsPort);
            if (says.join() !== wanted.join())
              return {
                message: `${kind === 'Endpoints' ? 'Endpoints' : 'slices'} of Service ${key} say ${listed(says)}, its ready pods are ${listed(wanted)}`,
                object: objects[0] ?? service,
              };
            if (wanted.length > 0) exercised++;
          }
          return undefined;
        },
      },
    );
  },
});

export const endpointInvariants: readonly Invariant[] = [
  agree({
    name: 'endpoints/agree-with-pods',
    description: 'When all is at rest, Endpoints list the ready pods of their Service, and no others.',
    kind: 'Endpoints',
    needsPort: true,
    serviceOf: keyOf,
    reported(_service, [object]) {
      const says = inEndpoints(object as Endpoints);
      return says.length >= MOST ? undefined : says;
    },
  }),
  agree({
    name: 'endpoint-slices/agree-with-pods',
    description: 'When all is at rest, the EndpointSlices of a Service list its ready pods between them, and no others.',
    kind: 'EndpointSlice',
    needsPort: false,
    serviceOf({ metadata }, { names }) {
      const service = metadata.labels?.[names.key('', 'service-name')];
      return service === undefined ? undefined : `${metadata.namespace ?? ''}/${service}`;
    },
    reported: (_service, objects) => inSlices(objects as readonly EndpointSlice[]),
  }),
];
