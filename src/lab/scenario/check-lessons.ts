/** Checks of lessons: a question whose step waits for its own answer, equal answers, unknown processes. */
import { nearest } from '../../schema/values/index.ts';
import { showValue, type Located } from '../../schema/yaml/index.ts';
import { processesOf, some } from './check-faults.ts';
import { memberAt, note, quoted, type CheckContext } from './context.ts';
import type { Scenario } from './types.ts';

export function checkLessons({ cluster, manifests, steps: taken }: Scenario, document: Located, context: CheckContext): void {
  const steps = memberAt(document, 'spec', 'steps');
  if (steps?.shape !== 'list') return;
  const brings = [...manifests, ...taken.flatMap((step) => ('objects' in step ? step.objects : []))];
  const processes = brings.some(({ object }) => object.kind === 'Node') ? undefined : processesOf(cluster);
  for (const [index, item] of steps.items.entries()) {
    const path = `spec.steps[${index}]`;
    if (memberAt(item, 'ask') !== undefined) checkQuestion(item, path, context);
    const viewer = memberAt(item, 'look', 'as');
    if (processes === undefined || typeof viewer?.plain !== 'string' || processes.includes(viewer.plain)) continue;
    const near = quoted(nearest(viewer.plain, processes));
    note(context, viewer, `${path}.look.as`, `a process of this cluster (${some(processes)})`, showValue(viewer.plain), near);
  }
}

const BY_TIME =
  'a step that is due by time (at, after) or in the settled cluster (when: settled), because a wait stops at the moment at which the answer becomes true';

function checkQuestion(item: Located, path: string, context: CheckContext): void {
  const wait = memberAt(item, 'waitFor') ?? memberAt(item, 'when', 'cel');
  if (wait !== undefined)
    note(context, wait, `${path}.ask`, BY_TIME, memberAt(item, 'waitFor') === undefined ? 'when: { cel }' : 'waitFor');
  const choices = memberAt(item, 'ask', 'choices');
  if (choices?.shape !== 'list') return;
  const said = new Set<unknown>();
  for (const [at, choice] of choices.items.entries()) {
    const say = memberAt(choice, 'say');
    if (say !== undefined && said.has(say.plain))
      note(context, say, `${path}.ask.choices[${at}].say`, 'an answer that no other choice gives', showValue(say.plain));
    said.add(say?.plain);
  }
}
