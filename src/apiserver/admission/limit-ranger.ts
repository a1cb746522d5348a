/**
 * The LimitRanges of a namespace: pods get defaults, and requests outside the range are refused. Updates of pods pass, because the
 * resources of a container are immutable. Models: v1.24 plugin/pkg/admission/limitranger. Simplified: ranges and resources are checked in
 * order, where upstream's order is random.
 */
import { isOf, type LimitRangeItem, type Pod } from '../kinds/index.ts';
import type { Draft, PersistentVolumeClaimSpec, PodSpec } from '../machinery/index.ts';
import {
  aggregateText,
  compareQuantities,
  compareText,
  formatQuantity,
  own,
  quantity,
  quantityMilliValue,
  quantityValue,
  ZERO_QUANTITY,
} from '../../schema/values/index.ts';
import type { Quantity } from '../../schema/values/index.ts';
import { forbidden } from '../request/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  verbs: ['create', 'update'],
  needs: 'LimitRange',
  reads: ['LimitRange'],
  changes: 'spec',
  kinds: ['Pod', 'PersistentVolumeClaim'],
  fills: ['resources'],
  mutate(scope, { resource, namespace = '', verb }, draft) {
    if (resource.kind.kind !== 'Pod' || verb !== 'create') return;
    const { metadata, spec } = draft as Draft<Pod>;
    for (const range of scope.store.by('LimitRange', 'namespace', namespace)) {
      const reported = addDefaults(spec, range.spec.limits ?? []);
      if (reported.length > 0)
        (metadata.annotations ??= {})[scope.names.key('', 'limit-ranger')] = `LimitRanger plugin set: ${reported.join('; ')}`;
    }
  },
  validate(scope, { resource, namespace = '', name, verb }, object, old) {
    const pod = resource.kind.kind === 'Pod';
    if ((pod && verb !== 'create') || old?.metadata.deletionTimestamp !== undefined) return;
    for (const range of scope.store.by('LimitRange', 'namespace', namespace)) {
      const found = isOf('PersistentVolumeClaim', object)
        ? claimProblems(object.spec, range.spec.limits ?? [])
        : podProblems(object['spec'] as PodSpec, range.spec.limits ?? []);
      if (found.length > 0) throw forbidden(resource, name, aggregateText(found));
    }
  },
};

// Default requests and limits of containers. Models: mergePodResourceRequirements.

type Amounts = Readonly<Record<string, string>>;

/** Later items win. */
const merged = (all: readonly (Amounts | undefined)[]): Amounts =>
  Object.fromEntries(all.flatMap((amounts) => Object.entries(amounts ?? {})));

/** Returns the given amounts with the missing ones added from the defaults, and the names of the added ones. */
function filled(
  given: Amounts | undefined,
  defaults: Amounts,
): { readonly amounts: Record<string, string>; readonly names: readonly string[] } {
  const all = { ...defaults, ...given };
  return {
    amounts: Object.fromEntries(
      Object.keys(all)
        .toSorted(compareText)
        .map((name) => [name, all[name] ?? '']),
    ),
    names: Object.keys(defaults)
      .filter((name) => own(given, name) === undefined)
      .toSorted(compareText),
  };
}

/** Adds all defaults of a namespace's limit ranges to a pod; returns a description of each change. */
function addDefaults(spec: Draft<PodSpec>, items: readonly LimitRangeItem[]): readonly string[] {
  const ofContainers = items.filter(({ type }) => type === 'Container');
  const limitDefaults = merged(ofContainers.map((item) => item.default));
  const requestDefaults = merged(ofContainers.map((item) => item.defaultRequest));
  const reported: string[] = [];
  const complete = (containers: Draft<PodSpec>['containers'] | undefined, what: string): void => {
    for (const { name, resources } of containers ?? []) {
      const requests = filled(resources.requests, requestDefaults);
      const limits = filled(resources.limits, limitDefaults);
      if (requests.names.length > 0) reported.push(`${requests.names.join(', ')} request for ${what} ${name}`);
      if (limits.names.length > 0) reported.push(`${limits.names.join(', ')} limit for ${what} ${name}`);
      // The published order has limits first.
      if (requests.names.length === 0 && limits.names.length === 0) continue;
      const asked = requests.names.length > 0 ? requests.amounts : resources.requests;
      delete resources.requests;
      if (limits.names.length > 0) resources.limits = limits.amounts;
      if (asked !== undefined) resources.requests = asked;
    }
  };
  complete(spec.containers, 'container');
  complete(spec.initContainers, 'init container');
  return reported;
}

// Requests and limits outside a range. Models: PodValidateLimitFunc, PersistentVolumeClaimValidateLimitFunc.

type Asked = Readonly<Partial<Record<'requests' | 'limits', Amounts>>>;
/** A bound, with the request and the limit; undefined where they are not set. */
type Bound = Readonly<Record<Side, Quantity | undefined>> & { readonly enforced: Quantity };

/** The largest amount whose thousandths fit an int64. */
const MAX_MILLI_VALUE = 9_223_372_036_854_775n;

/** Converts all to one precision: thousandths, unless one of them does not fit. */
function comparable({ enforced, request = ZERO_QUANTITY, limit = ZERO_QUANTITY }: Bound): Readonly<Record<keyof Bound, bigint>> {
  const coarse = [enforced, request, limit].some((one) => quantityValue(one) > MAX_MILLI_VALUE);
  const value = coarse ? quantityValue : quantityMilliValue;
  return { enforced: value(enforced), request: value(request), limit: value(limit) };
}

type Rule = (resource: string, type: string, bound: Bound) => string | undefined;

type Side = 'request' | 'limit';

/** A bound of amounts. The first side must be set, and the others are checked where they are. */
const bounded =
  (word: 'minimum' | 'maximum', ...sides: readonly [Side, ...Side[]]): Rule =>
  (resource, type, bound) => {
    const { enforced, ...amounts } = comparable(bound);
    const text = `${word} ${resource} usage per ${type} is ${formatQuantity(bound.enforced)}`;
    if (bound[sides[0]] === undefined) return `${text}.  No ${sides[0]} is specified`;
    for (const side of sides) {
      const given = bound[side];
      const breaks = word === 'minimum' ? amounts[side] < enforced : amounts[side] > enforced;
      if (given !== undefined && breaks) return `${text}, but ${side} is ${formatQuantity(given)}`;
    }
    return undefined;
  };

const tooLittle = bounded('minimum', 'request', 'limit');
const tooMuch = bounded('maximum', 'limit', 'request');
/** Claims have requests only. */
const tooMuchRequested = bounded('maximum', 'request');

const tooFarApart: Rule = (resource, type, bound) => {
  const { request, limit } = comparable(bound);
  const text = `${resource} max limit to request ratio per ${type} is ${formatQuantity(bound.enforced)}`;
  if (request === 0n) return `${text}, but no request is specified or request is 0`;
  if (limit === 0n) return `${text}, but no limit is specified or limit is 0`;
  const ratio = Number(limit) / Number(request);
  const fine = quantityValue(bound.enforced) <= MAX_MILLI_VALUE;
  const exceeds = fine ? ratio * 1000 > Number(quantityMilliValue(bound.enforced)) : ratio > Number(quantityValue(bound.enforced));
  return exceeds ? `${text}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
};

const read = (text: string | undefined): Quantity | undefined => (text === undefined ? undefined : quantity(text));
const broken = (rule: Rule, type: string, bounds: Amounts = {}, { requests = {}, limits = {} }: Asked): readonly string[] =>
  Object.entries(bounds).flatMap(
    ([name, enforced]) =>
      rule(name, type, { enforced: quantity(enforced), request: read(requests[name]), limit: read(limits[name]) }) ?? [],
  );

const beyond = (item: LimitRangeItem, asked: Asked): readonly string[] => [
  ...broken(tooLittle, item.type, item.min, asked),
  ...broken(tooMuch, item.type, item.max, asked),
  ...broken(tooFarApart, item.type, item.maxLimitRequestRatio, asked),
];

/** The sum of all containers, or the largest init container. If one container does not set the amount, there is no total. */
function total(containers: readonly (Amounts | undefined)[], initContainers: readonly (Amounts | undefined)[]): Amounts {
  const result: Record<string, string> = {};
  const [first = {}] = containers;
  for (const name of Object.keys(first)) {
    if (!containers.every((amounts) => own(amounts, name) !== undefined)) continue;
    const value = name === 'cpu' ? quantityMilliValue : quantityValue;
    const sum = containers.reduce((all, amounts) => all + value(read(own(amounts, name)) ?? ZERO_QUANTITY), 0n);
    result[name] = formatQuantity(quantity(name === 'cpu' ? `${sum}m` : `${sum}`));
  }
  for (const amounts of initContainers) {
    for (const [name, amount] of Object.entries(amounts ?? {})) {
      const known = result[name];
      if (known === undefined || compareQuantities(quantity(amount), quantity(known)) > 0) result[name] = amount;
    }
  }
  return result;
}

function podProblems(spec: PodSpec, items: readonly LimitRangeItem[]): readonly string[] {
  const containers = (spec.containers ?? []).map(({ resources }): Asked => resources);
  const initContainers = (spec.initContainers ?? []).map(({ resources }): Asked => resources);
  return items.flatMap((item) => {
    if (item.type === 'Container') return [...containers, ...initContainers].flatMap((asked) => beyond(item, asked));
    if (item.type !== 'Pod') return [];
    const of = (side: 'requests' | 'limits'): Amounts =>
      total(
        containers.map((asked) => asked[side]),
        initContainers.map((asked) => asked[side]),
      );
    return beyond(item, { requests: of('requests'), limits: of('limits') });
  });
}

const claimProblems = ({ resources: { requests = {} } }: PersistentVolumeClaimSpec, items: readonly LimitRangeItem[]): readonly string[] =>
  items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((item) => [
      ...broken(tooLittle, item.type, item.min, { requests }),
      ...broken(tooMuchRequested, item.type, item.max, { requests }),
    ]);
