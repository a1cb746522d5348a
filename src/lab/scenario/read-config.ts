/**
 * Readers of configuration in a scenario: the flags of processes, the agents' configuration. Configuration that the real processes would
 * refuse is a problem, unless a step expects a process to refuse its start.
 */
import { parseAgentConfig, parseSchedulerFlags } from '../../controlplane/config/index.ts';
import { present } from '../../schema/values/index.ts';
import type { CheckContext, Reading } from './context.ts';
import { joinPath, type Located } from '../../schema/yaml/index.ts';
import { readDocument } from './read-manifests.ts';
import type { Manifest } from './values.ts';

const READERS = {
  scheduler: { example: '--leader-elect-lease-duration=15s', problems: (flags: readonly string[]) => parseSchedulerFlags(flags).errors },
  agent: {
    example: '--max-pods=20',
    problems: (flags: readonly string[], { gates = {} }: CheckContext) => parseAgentConfig({}, { fragment: true, flags, gates }).errors,
  },
} as const;

export function readFlagsOf(process: keyof typeof READERS, at: Reading): readonly string[] | undefined {
  const { node, context } = at;
  const { example, problems } = READERS[process];
  if (node.shape !== 'list') return at.refuse(`a list of flags such as ${example}`);
  const items = at.items();
  const flags = items.flatMap((item) => (typeof item.plain === 'string' ? [item.plain] : (item.refuse(`a flag such as ${example}`) ?? [])));
  for (const { path: flag, message } of context.startsMayFail === true ? [] : problems(flags, context)) {
    const wrong = items.find(({ plain }) => typeof plain === 'string' && (plain === flag || plain.startsWith(`${flag}=`)));
    (wrong ?? at).refuse(`flags that the ${process} accepts`, message);
  }
  return flags;
}

export function readAgentConfig(at: Reading): Manifest | undefined {
  const { node, context } = at;
  const document = readDocument(at);
  if (document === undefined || context.startsMayFail === true) return document;
  const { errors } = parseAgentConfig(document, { fragment: true, ...present({ gates: context.gates }) });
  for (const { path: field, message } of errors) {
    const place = document === node.plain ? nodeAt(node, field) : node;
    at.refuseAt(place, joinPath(at.path, field), 'a configuration that the agents accept', message);
  }
  return document;
}

/** Returns the node of a dotted path, or the last one that exists along it. */
function nodeAt(node: Located, field: string): Located {
  let at = node;
  for (const part of field.split('.')) {
    const next = at.shape === 'map' ? at.entries.get(part)?.value : undefined;
    if (next === undefined) return at;
    at = next;
  }
  return at;
}
