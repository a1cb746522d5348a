/**
 * Taints in an old annotation: JSON decoded into the internal struct, whose members have only their Go names, in any case. Models: v1.24
 * pkg/apis/core/helper GetTaintsFromNodeAnnotations, encoding/json.
 */
import { JsonSyntaxError, parseJson } from '../../../schema/shape/index.ts';
import type { Taint } from './shape.ts';

const TYPES = { Key: 'string', Value: 'string', Effect: 'core.TaintEffect' } as const;

/** Returns the taints in a text, or the problem. */
export function readTaints(text: string): { readonly taints: readonly Taint[]; readonly problem?: string } {
  let value: unknown;
  try {
    ({ value } = parseJson(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { taints: [], problem: error.message };
    throw error;
  }
  if (value === null) return { taints: [] };
  if (!Array.isArray(value)) return { taints: [], problem: `json: cannot unmarshal ${wordFor(value)} into Go value of type []core.Taint` };
  const problems: string[] = [];
  const taints = value.map((item: unknown) => readTaint(item, problems));
  // Go continues after a problem and reports the first one.
  const [problem] = problems;
  return problem === undefined ? { taints } : { taints: [], problem };
}

function readTaint(item: unknown, problems: string[]): Taint {
  const made = { key: '', value: '', effect: '' };
  if (item === null) return made;
  if (wordFor(item) !== 'object') {
    problems.push(`json: cannot unmarshal ${wordFor(item)} into Go value of type core.Taint`);
    return made;
  }
  for (const [name, given] of Object.entries(item as object) as [string, unknown][])
    for (const [field, type] of Object.entries(TYPES)) {
      if (name.toLowerCase() !== field.toLowerCase() || given === null) continue;
      if (typeof given === 'string') made[name.toLowerCase() as keyof typeof made] = given;
      else problems.push(`json: cannot unmarshal ${wordFor(given)} into Go struct field Taint.${field} of type ${type}`);
    }
  return made;
}

const wordFor = (value: unknown): string =>
  Array.isArray(value)
    ? 'array'
    : typeof value === 'object' && Object.getPrototypeOf(value) !== Object.prototype
      ? 'number'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value;
