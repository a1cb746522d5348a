/**
 * Names with template hashes. Recordings have `sim/…` in the annotations of a template where scenarios have `sim.orch.io/…`, so the hash of
 * the template and the name of its ReplicaSet differ here: each recorded hash is replaced by ours.
 */
import { templateHash } from '../../src/controlplane/controllers/index.ts';
import type { RecordedCase } from './recording.ts';
import { inOurWords } from './requests.ts';

type Template = Parameters<typeof templateHash>[0];

const HASH = 'pod-template-hash';
/** Collision counts that are tried to find the template of a name. */
const COLLISIONS: readonly (number | undefined)[] = [undefined, 1, 2, 3];

/** Returns the recording with the template hashes of the simulator. */
export function withOurHashes(recorded: RecordedCase): RecordedCase {
  const ours = new Map<string, string>();
  for (const { object } of recorded.trace) {
    const hash = object.kind === 'ReplicaSet' ? object.metadata?.labels?.[HASH] : undefined;
    if (hash === undefined || ours.has(hash)) continue;
    const template = templateOf(object);
    const collisions = COLLISIONS.find((each) => templateHash(template, each) === hash);
    // A name that a client chose does not match any hash.
    if (templateHash(template, collisions) === hash) ours.set(hash, templateHash(inOurWords(template), collisions));
  }
  if (ours.size === 0) return recorded;
  const any = new RegExp(`\\b(${[...ours.keys()].join('|')})\\b`, 'g');
  const { actions, trace } = recorded;
  const renamed = JSON.stringify({ actions, trace }).replace(any, (hash) => ours.get(hash) ?? hash);
  return { ...recorded, ...(JSON.parse(renamed) as Pick<RecordedCase, 'actions' | 'trace'>) };
}

function templateOf({ spec }: RecordedCase['trace'][number]['object']): Template {
  const template = (spec as { readonly template?: Template } | undefined)?.template;
  if (template === undefined) throw new Error('a recorded ReplicaSet has no template');
  const { [HASH]: _, ...labels } = template.metadata.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}
