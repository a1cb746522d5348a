/** Formatting that explainers share: instants, names, lists. */
import { type ApiObject, storeKey } from '../../apiserver/machinery/index.ts';
import type { Waiting } from './blockers.ts';
import type { Situation } from './situation.ts';
import { formatSince, type ObjectName } from '../trace/index.ts';

/** Formats an instant as time since the start of the run. */
export const at = ({ trace }: Pick<Situation, 'trace'>, ms: number): string => formatSince(ms - trace.startAt);

/** Parses a timestamp of an object to milliseconds since the epoch; undefined: it is absent. */
export const instantOf = (text: string | null | undefined): number | undefined =>
  text === undefined || text === null || text === '' ? undefined : Date.parse(text);

export const nameOf = ({ kind, metadata: { namespace, name } }: ApiObject): ObjectName => ({
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
});

/** Returns the key of an object in controllers and in the store. */
export const keyOfName = ({ namespace, name }: ObjectName): string => storeKey(namespace, name);

const SHOWN = 4;

/** Joins a list: `a, b and c`; of a long one, the first few. */
export function listed(words: readonly string[]): string {
  if (words.length > SHOWN) return `${words.slice(0, SHOWN).join(', ')} and ${words.length - SHOWN} more`;
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns the objects that one of these controls, in order of creation. */
export const controlledBy = ({ world }: Situation, kind: string, { metadata: { uid, namespace } }: ApiObject): readonly ApiObject[] =>
  world
    .list(kind, namespace)
    .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid));

/** Returns the condition of a type. */
export const conditionOf = <C extends { readonly type: string }>(conditions: readonly C[] | undefined, type: string): C | undefined =>
  conditions?.find((condition) => condition.type === type);

/** Whether an object has finished or is in its desired state, and waits for nothing. */
export function isDone(object: ApiObject): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return false;
  const { kind } = object;
  const status = object['status'] as
    | { readonly phase?: string; readonly conditions?: readonly { type: string; status: string }[] }
    | undefined;
  if (kind === 'Job') return ['Complete', 'Failed'].some((type) => conditionOf(status?.conditions, type)?.status === 'True');
  if (kind === 'Pod') return status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (kind === 'PersistentVolumeClaim') return status?.phase === 'Bound';
  return false;
}

/** The limit of lines, so that a whole answer fits a screen. */
const MOST = 16;

/** Returns lines such as `Job big waits for 3 pods …`, indented by depth; the lines over the limit are counted. */
export function waitingText(waits: readonly Waiting[], most = MOST): readonly string[] {
  const lines = waits.map(({ about, alike, depth, text }) => `${'  '.repeat(depth)}${named(about, alike)} ${text}`);
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
}

const shown = ({ namespace, name }: ObjectName): string =>
  namespace === undefined || namespace === 'default' ? name : `${namespace}/${name}`;

const named = (about: ObjectName, alike: readonly ObjectName[]): string =>
  alike.length === 0
    ? `${about.kind} ${shown(about)}`
    : `each of ${alike.length + 1} ${about.kind}s (${listed([about, ...alike].map(shown))})`;
