/** Invariants of Endpoints and EndpointSlices: in a settled cluster both agree with the ready pods of their Service. */
import { type ApiObject, keyOf } from '../../apiserver/machinery/index.ts';
import type { Endpoints, EndpointSlice, Service } from '../../apiserver/kinds/index.ts';
import { belongsInEndpoints, isHeadless, isReady, podPorts, selectsPods } from '../../controlplane/shared/index.ts';
import { compareText, labelMatcher, pushTo } from '../../schema/values/index.ts';
import { type Facts, type Invariant, checking } from './invariant.ts';

/** The maximum number of addresses in one Endpoints object, which is annotated when it is truncated. */
const MOST = 1_000;

function readyPods(service: Service, facts: Facts, needsPort: boolean): readonly string[] {
  const matches = labelMatcher({ matchLabels: service.spec.selector ?? {} });
  const all = service.spec.publishNotReadyAddresses === true;
  const bare = !needsPort || (isHeadless(service) && (service.spec.ports ?? []).length === 0);
  const found: string[] = [];
  for (const pod of facts.by('Pod', 'namespace', service.metadata.namespace ?? '')) {
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

/** One of the two representations of a Service's addresses. */
interface Form {
  readonly name: string;
  readonly description: string;
  readonly kind: 'Endpoints' | 'EndpointSlice';
  /** Whether pods without a port that the Service names are omitted; otherwise they are listed without ports. */
  readonly needsPort: boolean;
  /** Returns the key of the Service to which an object belongs. */
  serviceOf(object: ApiObject, facts: Facts): string | undefined;
  reported(service: string, objects: readonly ApiObject[]): readonly string[] | undefined;
}

const agree = ({ name, description, kind, needsPort, serviceOf, reported }: Form): Invariant => ({
  name,
  temporal: 'stable',
  description,
  kinds: [kind],
  check: checking((exercised) => {
    /** Objects that the controller wrote last; an object that a user changed afterwards is not checked. */
    const written = new Set<string>();
    return {
      describe: () => written,
      onChange({ type, object }, _facts, controller) {
        const key = keyOf(object);
        if (type === 'DELETED' || controller === undefined) written.delete(key);
        else written.add(key);
        return undefined;
      },
      onEnd(facts, settled) {
        const byService = new Map<string, ApiObject[]>();
        for (const object of settled ? facts.list(kind) : []) {
          const service = written.has(keyOf(object)) ? serviceOf(object, facts) : undefined;
          if (service !== undefined) pushTo(byService, service, object);
        }
        for (const [key, objects] of byService) {
          const service = facts.get('Service', key);
          const says = reported(key, objects);
          if (service === undefined || says === undefined || !selectsPods(service)) continue;
          const wanted = readyPods(service, facts, needsPort);
          if (says.join() !== wanted.join())
            return {
              message: `${kind === 'Endpoints' ? 'Endpoints' : 'slices'} of Service ${key} list ${listed(says)}, its ready pods are ${listed(wanted)}`,
              object: objects[0] ?? service,
            };
          if (wanted.length > 0) exercised();
        }
        return undefined;
      },
    };
  }),
});

export const endpointInvariants: readonly Invariant[] = [
  agree({
    name: 'endpoints/agree-with-pods',
    description: 'When everything has settled, Endpoints list the ready pods of their Service, and no others.',
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
    description: 'When everything has settled, the EndpointSlices of a Service together list its ready pods, and no others.',
    kind: 'EndpointSlice',
    needsPort: false,
    serviceOf({ metadata }, { names }) {
      const service = metadata.labels?.[names.key('', 'service-name')];
      return service === undefined ? undefined : `${metadata.namespace ?? ''}/${service}`;
    },
    reported: (_service, objects) => inSlices(objects as readonly EndpointSlice[]),
  }),
];
