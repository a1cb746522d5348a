/** Converts metrics of autoscalers to v2beta1 and back. Models: v1.24 pkg/apis/autoscaling/v2beta1 conversion.go. */
import type { Fields } from './convert.ts';

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
/** Removes undefined members. */
export const present = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Names of the members of one source: in v2 within its target, and in v2beta1. */
interface Words {
  readonly measure: 'target' | 'current';
  readonly value: readonly (readonly [current: string, old: string])[];
  /** The v2beta1 names of the metric and of its selector; absent: the source is a resource. */
  readonly named?: readonly [name: string, selector: string];
  /** The v2beta1 name of the described object. */
  readonly described?: string;
}

export const WANTED: Readonly<Record<string, Words>> = {
  object: {
    measure: 'target',
    value: [
      ['value', 'targetValue'],
      ['averageValue', 'averageValue'],
    ],
    named: ['metricName', 'selector'],
    described: 'target',
  },
  pods: { measure: 'target', value: [['averageValue', 'targetAverageValue']], named: ['metricName', 'selector'] },
  resource: {
    measure: 'target',
    value: [
      ['averageUtilization', 'targetAverageUtilization'],
      ['averageValue', 'targetAverageValue'],
    ],
  },
  containerResource: {
    measure: 'target',
    value: [
      ['averageUtilization', 'targetAverageUtilization'],
      ['averageValue', 'targetAverageValue'],
    ],
  },
  external: {
    measure: 'target',
    value: [
      ['value', 'targetValue'],
      ['averageValue', 'targetAverageValue'],
    ],
    named: ['metricName', 'metricSelector'],
  },
};
export const FOUND: Readonly<Record<string, Words>> = {
  object: {
    measure: 'current',
    value: [
      ['value', 'currentValue'],
      ['averageValue', 'averageValue'],
    ],
    named: ['metricName', 'selector'],
    described: 'target',
  },
  pods: { measure: 'current', value: [['averageValue', 'currentAverageValue']], named: ['metricName', 'selector'] },
  resource: {
    measure: 'current',
    value: [
      ['averageUtilization', 'currentAverageUtilization'],
      ['averageValue', 'currentAverageValue'],
    ],
  },
  containerResource: {
    measure: 'current',
    value: [
      ['averageUtilization', 'currentAverageUtilization'],
      ['averageValue', 'currentAverageValue'],
    ],
  },
  external: {
    measure: 'current',
    value: [
      ['value', 'currentValue'],
      ['averageValue', 'currentAverageValue'],
    ],
    named: ['metricName', 'metricSelector'],
  },
};

export function toOld(metric: Fields, words: Readonly<Record<string, Words>>): Fields {
  const made: Record<string, unknown> = { type: metric['type'] };
  for (const [member, { measure, value, named, described }] of Object.entries(words)) {
    const source = metric[member];
    if (!isObject(source)) continue;
    const [measured, identity] = [fieldsOf(source[measure]), fieldsOf(source['metric'])];
    made[member] = present({
      ...(described === undefined ? {} : { [described]: source['describedObject'] }),
      ...(named === undefined
        ? { name: source['name'], container: source['container'] }
        : { [named[0]]: identity['name'], [named[1]]: identity['selector'] }),
      ...Object.fromEntries(value.map(([current, old]) => [old, measured[current]])),
    });
  }
  return made;
}

export function toCurrent(metric: Fields, words: Readonly<Record<string, Words>>): Fields {
  const made: Record<string, unknown> = { type: metric['type'] };
  for (const [member, { measure, value, named, described }] of Object.entries(words)) {
    const source = metric[member];
    if (!isObject(source)) continue;
    const measured = present(Object.fromEntries(value.map(([current, old]) => [current, source[old]])));
    made[member] = present({
      ...(described === undefined ? {} : { describedObject: source[described] }),
      ...(named === undefined
        ? { name: source['name'], container: source['container'] }
        : { metric: present({ name: source[named[0]], selector: source[named[1]] }) }),
      [measure]: measure === 'current' ? measured : { type: targetType(measured), ...measured },
    });
  }
  return made;
}

const targetType = (measured: Fields): string =>
  measured['averageUtilization'] !== undefined ? 'Utilization' : measured['value'] === undefined ? 'AverageValue' : 'Value';
