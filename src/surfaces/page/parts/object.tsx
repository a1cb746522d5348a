/** An object: its changes by the entry at the cursor, its version in a cache, and its YAML. */
import { type ApiObject, keyOf } from '../../../apiserver/machinery/index.ts';
import { diffValues, type PathChange } from '../../../lab/trace/index.ts';
import { go, select } from '../actions.ts';
import type { Model } from '../model/index.ts';
import type { Held } from '../model/world.ts';
import { placeName, since } from '../model/words.ts';
import { LONGEST } from '../run-data.ts';
import { atInspected, canFork, fine, inspectedStep, lens, offer, inspectedObject, selection, type Offer } from '../state.ts';
import { Icon } from './icon.tsx';
import { useMemo } from 'preact/hooks';
import { linesOf, type YamlLine } from '../model/yaml-lines.ts';

const MOST_CHANGES = 12;
const MOST_DIFFERENCES = 6;

export function ObjectPane({ model }: { readonly model: Model }) {
  const about = inspectedObject.value;
  if (about === undefined) return null;
  const key = about.namespace === undefined ? about.name : `${about.namespace}/${about.name}`;
  const held = atInspected(model).world.find(about.kind, key);
  const object = held === undefined ? undefined : model.world.current(held);
  const changes = changesHere(model, about.kind, key);
  const last = model.world.writtenAt(about.kind, key);
  return (
    <section>
      <h2>
        {placeName(about.kind, key)} <Follow />
      </h2>
      {BUILT_WITH_ENGINE && object !== undefined && canFork.value && (
        <button class="what-if" onClick={() => (offer.value = offerFor(about.kind, key, about.name))}>
          <Icon of="bolt" /> What if, here …
        </button>
      )}
      {object === undefined && <p class="quiet">It does not exist at this moment.</p>}
      {changes.length > 0 && <Changes changes={changes} />}
      {held !== undefined && object !== undefined && <CacheView model={model} held={held} object={object} />}
      {last !== undefined && last !== inspectedStep.value && (
        <p>
          <button class="link" onClick={() => go(last)}>
            last written at {since((model.trace.entries[last - 1]?.at ?? 0) - model.trace.startAt)}, #{last}
          </button>
        </p>
      )}
      {object !== undefined && (
        <details open>
          <summary>as the server holds it, revision {object.metadata.resourceVersion}</summary>
          <Yaml object={object} changed={changes.map(({ path }) => path)} />
        </details>
      )}
    </section>
  );
}

export function offerFor(kind: string, key: string, name: string): Offer {
  const place = `${kind}/${key}`;
  return {
    title: `What if, to ${placeName(kind, key)}, here?`,
    waits: { key },
    faults: [
      { say: `${name} is deleted`, typed: `delete ${place}` },
      ...(kind === 'Pod' ? [{ say: `${name} is evicted`, typed: `evict ${place}` }] : []),
      ...(kind === 'Job' || kind === 'CronJob'
        ? [{ say: `${name} is suspended`, typed: `patch: { target: ${place}, patch: { spec: { suspend: true } } }` }]
        : []),
    ],
  };
}

function changesHere({ trace }: Model, kind: string, key: string): readonly PathChange[] {
  const entry = trace.entries[inspectedStep.value - 1];
  if (entry?.type !== 'write' || entry.change.kind !== kind || entry.change.key !== key || entry.change.previous === undefined) return [];
  return diffValues(entry.change.previous, entry.change.type === 'DELETED' ? undefined : entry.change.object).filter(
    ({ path }) => path !== '',
  );
}

const Changes = ({ changes }: { readonly changes: readonly PathChange[] }) => (
  <dl class="changes">
    {changes.slice(0, MOST_CHANGES).map(({ path, before, after }) => (
      <>
        <dt>{path}</dt>
        <dd>
          {before !== undefined && <del>{brief(before)}</del>} {after !== undefined && <ins>{brief(after)}</ins>}
        </dd>
      </>
    ))}
    {changes.length > MOST_CHANGES && <dd class="quiet">and {changes.length - MOST_CHANGES} more</dd>}
  </dl>
);

/** The object in the selected cache; without one, in the cache of the first process that watches the kind. */
function CacheView({ model, held: { kind, at: writtenAt }, object }: { model: Model; held: Held; object: ApiObject }) {
  const { cacheLens } = atInspected(model);
  // The caches of a large run are read when the reader asks for one: that takes longer than a frame.
  if (lens.value === undefined && model.length > LONGEST) return null;
  const process = lens.value ?? model.deciders.find(({ process }) => cacheLens.view(process).follows(kind, object))?.process;
  if (process === undefined || !cacheLens.view(process).follows(kind, object)) return null;
  const saw = cacheLens.view(process).byKey(kind, keyOf(object));
  if (saw?.metadata.resourceVersion === object.metadata.resourceVersion) return <p class="fresh">✓ {process} sees it as it is.</p>;
  // A write of the current instant is still being delivered, so it is not stale, and its card does not say so.
  if (!fine.value && writtenAt >= model.world.at) return <p class="quiet">The delivery to {process} is pending.</p>;
  if (saw === undefined) return <p class="stale-box">{process} has not seen it yet.</p>;
  return (
    <div class="stale-box">
      <b>{process} sees an older one</b>
      <table>
        <thead>
          <tr>
            <th>field</th>
            <th>its cache</th>
            <th>server</th>
          </tr>
        </thead>
        <tbody>
          {diffValues(saw, object)
            .slice(0, MOST_DIFFERENCES)
            .map(({ path, before, after }) => (
              <tr>
                <td>{path.replace(/^status\./, '')}</td>
                <td>{before === undefined ? '—' : brief(before)}</td>
                <td>{after === undefined ? '—' : brief(after)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

const WIDEST = 64;

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text;
}

/** Releases the selection, so that the inspector follows the cursor. */
const Follow = () =>
  selection.value === undefined ? null : (
    <button class="link" onClick={() => select(undefined)}>
      follow the cursor
    </button>
  );

const Yaml = ({ object, changed }: { readonly object: ApiObject; readonly changed: readonly string[] }) =>
  useMemo(
    () => (
      <pre class="yaml" tabIndex={0} aria-label={`${object.kind} ${object.metadata.name} as YAML`}>
        {joined(linesOf(object, changed)).map(({ text, marked }) => (marked ? <mark>{text}</mark> : text))}
      </pre>
    ),
    [object, changed.join()],
  );

/** Lines up to the next marked one are one text, so that few nodes are written at a step. */
function joined(lines: readonly YamlLine[]): readonly YamlLine[] {
  const all: YamlLine[] = [];
  for (const { text, marked } of lines) {
    const last = all.at(-1);
    if (last === undefined || marked || last.marked) all.push({ text: `${text}\n`, marked });
    else all[all.length - 1] = { text: `${last.text}${text}\n`, marked };
  }
  return all;
}
