/**
 * Requests and limits of pods and claims that are outside a range. Models: v1.24 plugin/pkg/admission/limitranger PodValidateLimitFunc,
 * PersistentVolumeClaimValidateLimitFunc.
 */
import type { LimitRangeItem } from '../../kinds/index.ts';
import type { PersistentVolumeClaimSpec, PodSpec } from '../../machinery/index.ts';
import {
  own,
  compareQuantities,
  formatQuantity,
  quantity,
  quantityMilliValue,
  quantityValue,
  ZERO_QUANTITY,
  type Quantity,
} from '../../../schema/values/index.ts';

type Amounts = Readonly<Record<string, string>>;
interface Asked {
  readonly requests?: Amounts;
  readonly limits?: Amounts;
}
/** A bound, with the request and the limit; undefined where they are not set. */
interface Bound {
  readonly enforced: Quantity;
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
}

/** The largest amount whose thousandths fit an int64. */
const MAX_MILLI_VALUE = 9_223_372_036_854_775n;

/** Converts all to one precision: thousandths, unless one of them does not fit. */
function comparable({ enforced, request = ZERO_QUANTITY, limit = ZERO_QUANTITY }: Bound): {
  readonly enforced: bigint;
  readonly request: bigint;
  readonly limit: bigint;
} {
  const coarse = [enforced, request, limit].some((one) => quantityValue(one) > MAX_MILLI_VALUE);
  const value = coarse ? quantityValue : quantityMilliValue;
  return { enforced: value(enforced), request: value(request), limit: value(limit) };
}

type Rule = (resource: string, type: string, bound: Bound) => string | undefined;

const tooLittle: Rule = (resource, type, bound) => {
  const { enforced, request, limit } = comparable(bound);
  const text = `minimum ${resource} usage per ${type} is ${formatQuantity(bound.enforced)}`;
  if (bound.request === undefined) return `${text}.  No request is specified`;
  if (request < enforced) return `${text}, but request is ${formatQuantity(bound.request)}`;
  return bound.limit !== undefined && limit < enforced ? `${text}, but limit is ${formatQuantity(bound.limit)}` : undefined;
};

const tooMuch: Rule = (resource, type, bound) => {
  const { enforced, request, limit } = comparable(bound);
  const text = `maximum ${resource} usage per ${type} is ${formatQuantity(bound.enforced)}`;
  if (bound.limit === undefined) return `${text}.  No limit is specified`;
  if (limit > enforced) return `${text}, but limit is ${formatQuantity(bound.limit)}`;
  return bound.request !== undefined && request > enforced ? `${text}, but request is ${formatQuantity(bound.request)}` : undefined;
};

/** Claims have requests only. */
const tooMuchRequested: Rule = (resource, type, bound) => {
  const { enforced, request } = comparable(bound);
  const text = `maximum ${resource} usage per ${type} is ${formatQuantity(bound.enforced)}`;
  if (bound.request === undefined) return `${text}.  No request is specified`;
  return request > enforced ? `${text}, but request is ${formatQuantity(bound.request)}` : undefined;
};

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

/**
 * The sum of all containers, or the amount of an init container if that is larger. If one container does not set the amount, there is no
 * total.
 */
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

/** Returns the texts of all bounds that a pod violates. */
export function podProblems(spec: PodSpec, items: readonly LimitRangeItem[]): readonly string[] {
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

/** Returns the texts of all bounds that a claim violates. */
export const claimProblems = (
  { resources: { requests = {} } }: PersistentVolumeClaimSpec,
  items: readonly LimitRangeItem[],
): readonly string[] =>
  items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((item) => [
      ...broken(tooLittle, item.type, item.min, { requests }),
      ...broken(tooMuchRequested, item.type, item.max, { requests }),
    ]);
