/**
 * The state of an object's key in controllers: a back-off and its end, a reset of the failure count, own writes that the cache does not
 * contain yet.
 */
import { plural } from '../../../schema/values/index.ts';
import { keyOf } from '../../../apiserver/machinery/index.ts';
import type { KeyIntrospection } from '../../../controlplane/runtime/index.ts';
import { lineParts, stepOf, type Entry, type Trace } from '../../trace/index.ts';
import { type Explainer, type Situation, type Wait, at, isDone, listed } from '../situation.ts';

export const key: Explainer = {
  name: 'key',
  explain(object, situation) {
    if (isDone(object)) return [];
    const waits: Wait[] = [];
    for (const { name: process, controllers, up } of situation.introspection.processes)
      for (const { name, reconciles, keys } of controllers) {
        const held = up && reconciles === object.kind ? keys.find((each) => each.key === keyOf(object)) : undefined;
        if (held !== undefined) waits.push(...ofKey(process, name, held, situation));
      }
    return waits;
  },
};

function ofKey(process: string, controller: string, held: KeyIntrospection, situation: Situation): readonly Wait[] {
  const waits: Wait[] = [];
  const { backingOff, delayedUntil, failures, awaits, writing } = held;
  const reset = resetOf(process, controller, held.key, situation);
  if (backingOff && delayedUntil !== undefined)
    waits.push({
      text: `is not retried by ${controller} until ${at(situation, delayedUntil)}: back-off after ${plural(failures, 'failure')} in a row${reset}`,
      until: delayedUntil,
    });
  else if (failures > 0)
    waits.push({
      text: `has failed ${failures === 1 ? 'once' : `${failures} times in a row`} for ${controller}, which retries on the next change${reset}`,
    });
  else if (reset !== '') waits.push({ text: `has no back-off with ${controller}${reset}` });
  if (awaits.length > 0)
    waits.push({
      text: `waits until the cache of ${process} shows what ${controller} wrote: ${listed(awaits.map(({ kind, revision }) => `${kind} rv ${revision}`))}`,
    });
  if (writing !== undefined && writing.left > 0)
    waits.push({ text: `is being written by ${controller}, ${plural(writing.left, 'write')} to go: ${writing.why}` });
  return waits;
}

type Decision = Extract<Entry, { readonly type: 'reconcile' }>;

/** Explains when the failure count was reset, and by which decision: the next failure starts with the shortest back-off. */
function resetOf(process: string, controller: string, about: string, { trace, step }: Situation): string {
  let later: Decision | undefined;
  for (let index = step - 1; index >= 0; index--) {
    const entry = trace.entries[index];
    if (entry?.type === 'process' && entry.process === process && (entry.what === 'crashed' || entry.what === 'stopped'))
      return later === undefined || !hadFailed(trace.entries.slice(0, index), process, controller, about)
        ? ''
        : `: its count was lost when ${process} ${entry.what} at ${at({ trace }, entry.at)}`;
    if (entry?.type !== 'reconcile' || entry.process !== process || entry.controller !== controller || entry.key !== about) continue;
    if (later?.failures === 0 && entry.failures > 0)
      return `: its count of ${plural(entry.failures, 'failure')} was reset at ${at({ trace }, entry.at)} (#${index + 1})${decisionOf(trace, entry)}`;
    later = entry;
  }
  return '';
}

/** Returns the write of a decision, because any progress resets the count. */
function decisionOf(trace: Trace, { id, at: when, why }: Decision): string {
  for (let step = (stepOf(trace, id) ?? 0) + 1; (trace.entries[step - 1]?.at ?? Infinity) <= when; step++) {
    const entry = trace.entries[step - 1];
    if (entry?.type === 'write' && entry.change.kind !== 'Event' && entry.causes.includes(id))
      return `, when it wrote this: ${lineParts(trace, step)?.what ?? ''}`;
  }
  return `: ${why}`;
}

const hadFailed = (entries: readonly Entry[], process: string, controller: string, about: string): boolean => {
  const last = entries.findLast(
    (entry) => entry.type === 'reconcile' && entry.process === process && entry.controller === controller && entry.key === about,
  );
  return last?.type === 'reconcile' && last.failures > 0;
};
