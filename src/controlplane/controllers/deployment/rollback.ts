/** Rollbacks that older clients request by an annotation. Models: v1.24 pkg/controller/deployment/rollback.go. */
import { record, update } from '../../runtime/index.ts';
import { annotationsFrom, numberIn, revisionOf } from './annotations.ts';
import type { Draft } from './draft.ts';
import { ROLLBACK, sameTemplate, withoutHash } from './input.ts';
import { allOf, type Sets } from './sets.ts';

/** The requested revision; 0 is the previous one. */
export const rollbackTarget = ({ annotations }: Draft): number | undefined => numberIn(annotations[ROLLBACK]);

/** Rolls back to a revision, or records why that is impossible. Removes the annotation in both cases. */
export function rollBack(draft: Draft, sets: Sets, revision: number): void {
  const { self: deployment } = draft.input;
  const { name } = deployment.metadata;
  const warn = (reason: string, message: string): void => {
    draft.writes.push(record(deployment, 'Warning', reason, message), cleared(draft));
    draft.why.push(message);
  };
  const target = revision === 0 ? lastRevision(draft, sets) : revision;
  if (target === 0) return warn('DeploymentRollbackRevisionNotFound', 'Unable to find last revision.');
  const found = allOf(sets).find(({ set }) => revisionOf(set, draft.keys) === target)?.set;
  if (found === undefined) return warn('DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.');
  const { template } = found.spec;
  if (sameTemplate(template, deployment.spec.template))
    return warn('DeploymentRollbackTemplateUnchanged', `The rollback revision contains the same template as current deployment "${name}"`);
  const message = `Rolled back deployment "${name}" to revision ${target}`;
  const annotations = withoutRollback(annotationsFrom(deployment, found, draft.keys));
  const metadata = { ...template.metadata, labels: withoutHash(template.metadata.labels) };
  draft.writes.push({
    op: 'update',
    object: {
      ...deployment,
      metadata: { ...deployment.metadata, annotations },
      spec: { ...deployment.spec, template: { ...template, metadata } },
    },
    then: { about: deployment, type: 'Normal', reason: 'DeploymentRollback', message },
  });
  draft.why.push(`roll back to revision ${target}`);
}

function withoutRollback({ [ROLLBACK]: _, ...rest }: Readonly<Record<string, string>>): Record<string, string> {
  return rest;
}

/** The write that removes the annotation. */
const cleared = ({ input }: Draft) =>
  update(input.self, ({ metadata }) => {
    delete metadata.annotations?.[ROLLBACK];
  });

/** The second greatest revision. */
function lastRevision(draft: Draft, sets: Sets): number {
  let [most, second] = [0, 0];
  for (const { set } of allOf(sets)) {
    const revision = revisionOf(set, draft.keys);
    if (revision === undefined) continue;
    if (revision >= most) [most, second] = [revision, most];
    else if (revision > second) second = revision;
  }
  return second;
}
