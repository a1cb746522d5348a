/** The conditions of an object that a card shows: those that are true, and those that are False and should not be. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import type { CardCondition } from './card.ts';

/** Bad when they are true. */
const BAD: ReadonlySet<string> = new Set(['Failed', 'FailureTarget', 'ReplicaFailure', 'NamespaceDeletionContentFailure']);
/** Bad when they are False: the object cannot do what it is for. */
const NEEDED: ReadonlySet<string> = new Set(['Available', 'Progressing', 'Ready', 'AbleToScale', 'ScalingActive']);

/** Returns the conditions of an object, bad ones first. */
export function conditionsOf({ status }: ApiObject): readonly CardCondition[] {
  if (typeof status !== 'object' || status === null || !('conditions' in status) || !Array.isArray(status.conditions)) return [];
  const all = status.conditions.flatMap((condition: unknown): readonly CardCondition[] => {
    if (typeof condition !== 'object' || condition === null || !('type' in condition) || !('status' in condition)) return [];
    const [type, is] = [String(condition.type), String(condition.status)];
    const bad = is === 'True' ? BAD.has(type) : NEEDED.has(type);
    if (is !== 'True' && !bad) return [];
    const text = is === 'True' ? type : `${type}: ${is}`;
    return [{ type, text, bad, because: `${type} is ${is}${textIn(condition, 'reason')}${textIn(condition, 'message')}` }];
  });
  return [...all.filter(({ bad }) => bad), ...all.filter(({ bad }) => !bad)];
}

function textIn(condition: object, name: 'reason' | 'message'): string {
  const text: unknown = (condition as Readonly<Record<string, unknown>>)[name];
  return typeof text === 'string' && text !== '' ? `: ${text}` : '';
}
