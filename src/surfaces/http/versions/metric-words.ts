/** Converts metrics of autoscalers to v2beta1 and back. Models: v1.24 pkg/apis/autoscaling/v2beta1 conversion.go. */
import { isMapping, present } from '../../../schema/values/index.ts';
import type { Fields } from './convert.ts';

export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isMapping) : []);
export const fieldsOf = (value: unknown): Fields => (isMapping(value) ? value : {});

/** Where a metric holds its values: in its wanted target, or in what was found. */
type Measure = 'target' | 'current';

/** Names of the members of one source. */
interface Words {
  /** In v2 within its target; its v2beta1 name begins with the measure, unless it is `averageValue` of an object. */
  readonly values: readonly string[];
  /** The v2beta1 names of the metric and of its selector; absent: the source is a resource. */
  readonly named?: readonly [name: string, selector: string];
  /** The v2beta1 name of the described object. */
  readonly described?: string;
}

const RESOURCE: Words = { values: ['averageUtilization', 'averageValue'] };
const SOURCES: Readonly<Record<string, Words>> = {
  object: { values: ['value', 'averageValue'], named: ['metricName', 'selector'], described: 'target' },
  pods: { values: ['averageValue'], named: ['metricName', 'selector'] },
  resource: RESOURCE,
  containerResource: RESOURCE,
  external: { values: ['value', 'averageValue'], named: ['metricName', 'metricSelector'] },
};

const oldName = (member: string, value: string, measure: Measure): string =>
  member === 'object' && value === 'averageValue' ? value : `${measure}${value.charAt(0).toUpperCase()}${value.slice(1)}`;

/** A metric in the words of v2beta1. */
export function toOld(metric: Fields, measure: Measure): Fields {
  const made: Record<string, unknown> = { type: metric['type'] };
  for (const [member, { values, named, described }] of Object.entries(SOURCES)) {
    const source = metric[member];
    if (!isMapping(source)) continue;
    const [measured, identity] = [fieldsOf(source[measure]), fieldsOf(source['metric'])];
    made[member] = present({
      ...(described === undefined ? {} : { [described]: source['describedObject'] }),
      ...(named === undefined
        ? { name: source['name'], container: source['container'] }
        : { [named[0]]: identity['name'], [named[1]]: identity['selector'] }),
      ...Object.fromEntries(values.map((value) => [oldName(member, value, measure), measured[value]])),
    });
  }
  return made;
}

export function toCurrent(metric: Fields, measure: Measure): Fields {
  const made: Record<string, unknown> = { type: metric['type'] };
  for (const [member, { values, named, described }] of Object.entries(SOURCES)) {
    const source = metric[member];
    if (!isMapping(source)) continue;
    const measured = present(Object.fromEntries(values.map((value) => [value, source[oldName(member, value, measure)]])));
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
