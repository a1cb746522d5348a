/** Converts kinds to other versions. Models: v1.24 pkg/apis/{discovery,policy}/v1beta1, pkg/apis/core conversion.go. */
import { isMapping, present } from '../../../schema/values/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Converts the members of an object, except its version. */
export interface Conversion {
  /** From the kind's own version. */
  read(object: Fields): Fields;
  /** To the kind's own version; the input is unchecked. */
  write(value: Fields): Fields;
}

export const same: Conversion = { read: (object) => object, write: (value) => value };

/** In v1beta1, endpoints have their topology in one map. */
export function topologyConversion(names: Names): Conversion {
  const [zoneKey, hostKey] = [names.key('topology', 'zone'), names.key('', 'hostname')];
  const endpoints = (object: Fields, change: (endpoint: Fields) => Fields): Fields => {
    const given = object['endpoints'];
    return Array.isArray(given) ? { ...object, endpoints: given.map((each: unknown) => (isMapping(each) ? change(each) : each)) } : object;
  };
  const read = (endpoint: Fields): Fields => {
    const { deprecatedTopology, zone, nodeName, ...rest } = endpoint;
    if (deprecatedTopology === undefined && zone === undefined && nodeName === undefined) return endpoint;
    const topology: Record<string, unknown> = {
      ...(isMapping(deprecatedTopology) ? deprecatedTopology : {}),
      ...(zone === undefined ? {} : { [zoneKey]: zone }),
    };
    if (nodeName !== undefined && (topology[hostKey] ?? '') === '') topology[hostKey] = nodeName;
    return { ...rest, topology, ...(nodeName === undefined ? {} : { nodeName }) };
  };
  const write = (endpoint: Fields): Fields => {
    const { topology, ...rest } = endpoint;
    if (!isMapping(topology)) return endpoint;
    const { [zoneKey]: zone, [hostKey]: host, ...others } = topology;
    const nodeName = rest['nodeName'] ?? host;
    const topologies = host === undefined || host === nodeName ? others : { ...others, [hostKey]: host };
    const deprecatedTopology = Object.keys(topologies).length === 0 ? undefined : topologies;
    return { ...rest, ...present({ nodeName, zone, deprecatedTopology }) };
  };
  return { read: (object) => endpoints(object, read), write: (value) => endpoints(value, write) };
}

/** In v1beta1, an empty selector selects nothing; in v1, everything. */
export const budgetConversion: Conversion = (() => {
  const marked = (operator: string): Fields => ({
    matchExpressions: [{ key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator }],
  });
  const [nothing, everything] = [marked('Exists'), marked('DoesNotExist')];
  const text = (value: unknown): string => JSON.stringify(value);
  const change = (object: Fields, from: Fields, to: Fields): Fields | undefined => {
    const spec = object['spec'];
    return isMapping(spec) && text(spec['selector']) === text(from) ? { ...object, spec: { ...spec, selector: to } } : undefined;
  };
  return {
    read: (object) => change(object, nothing, {}) ?? change(object, {}, everything) ?? object,
    write: (value) => change(value, everything, {}) ?? change(value, {}, nothing) ?? value,
  };
})();

/** Names of an event's members: in the core group, and in its own group. */
const EVENT: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];
/** Omitted if empty. */
const OPTIONAL: ReadonlySet<string> = new Set(['reportingController', 'reportingInstance']);

export const eventConversion: Conversion = (() => {
  const [outwards, inwards] = [new Map(EVENT), new Map(EVENT.map(([core, current]) => [current, core] as const))];
  return {
    read: (object) =>
      Object.fromEntries(
        Object.entries(object)
          .map(([name, value]) => [outwards.get(name) ?? name, value] as const)
          .filter(([name, value]) => !(OPTIONAL.has(name) && value === '')),
      ),
    // The member names of the core group are unknown here.
    write: (value) =>
      Object.fromEntries(
        Object.entries(value).flatMap(([name, member]) => (outwards.has(name) ? [] : [[inwards.get(name) ?? name, member] as const])),
      ),
  };
})();
