/**
 * Validates the objects of a file by the rules of their kinds before the run: reports every value that the server would refuse in any
 * state, at its position. Rules that depend on stored objects are checked during the run.
 */
import { staticErrors } from '../../apiserver/handlers/index.ts';
import type { FieldError, Kind, KindContext } from '../../apiserver/machinery/index.ts';
import { findMisfits, type Misfit, type Schema } from '../../schema/shape/index.ts';
import { joinPath, positionOf, type Located } from '../../schema/yaml/index.ts';
import { note, type CheckContext, type Written } from './context.ts';
import { culprit, expectedBy, foundInstead, placed, type Placed, rewritten, stepsOf, wordsOf } from './manifest-words.ts';
import type { Manifest } from './values.ts';

/** Reports every value that does not have the type of its field. */
export function checkTypes(schema: Schema, node: Located, path: string, context: CheckContext): readonly Misfit[] {
  const misfits = findMisfits(schema, node.plain);
  for (const { steps, schema: wanted, value } of misfits) {
    const { node: at = node } = placed(node, steps);
    note(context, at, steps.reduce<string>(joinPath, path), expectedBy(wanted, value), foundInstead(wanted, at), rewritten(wanted, at));
  }
  return misfits;
}

/** Reports every error that the server would find in an object alone. */
export function judgeManifest(written: Written, context: CheckContext, rules: KindContext): void {
  const kind = context.vocabulary.kindsOf?.(context.domain).byKind(written.object.kind ?? '');
  if (kind === undefined) return;
  const misfits = checkTypes(kind.schema, written.node, written.path, context);
  const seen = new Set<string>();
  for (const { error, at: around } of judged(kind, written, misfits, rules)) {
    const at = { ...around, node: culprit(error, around.node) };
    const { expected, found, suggestion } = wordsOf(error, at);
    const place = at.key ?? positionOf(at.node);
    // One problem is enough for a single value, because the next often follows from it.
    const about = JSON.stringify([error.field, place, at.node.shape === 'scalar' ? '' : expected]);
    if (seen.has(about)) continue;
    seen.add(about);
    note(context, place, stepsOf(error.field).reduce<string>(joinPath, written.path), expected, found, suggestion);
  }
}

interface Judged {
  readonly error: FieldError;
  readonly at: Placed;
}

function judged(kind: Kind, { object, node, partial }: Written, misfits: readonly Misfit[], rules: KindContext): readonly Judged[] {
  const errors = staticErrors(kind, without(object, misfits), rules).map((error) => ({
    error,
    at: placed(node, stepsOf(error.field), error.value),
  }));
  if (misfits.length > 0) return errors.filter(({ error, at }) => at.exact && at.node.shape === 'scalar' && !touches(error.field, misfits));
  const lacks = errors.some(({ error }) => error.type === 'Required');
  // Errors about values that the file does not contain mostly follow from missing required fields.
  if (!partial) return errors.filter(({ error, at }) => at.exact || !lacks || error.type === 'Required');
  // Who leaves out what an object must have changes one that is there, but must name it.
  return errors.filter(({ error, at }) => (at.exact ? !lacks || isWrongAnywhere(error, at) : error.field === 'metadata.name'));
}

/** What an error says of another field: that one may be there already, and say otherwise. */
const OF_ANOTHER = /`| when | unless |may only|may not|cannot/;

/** Whatever stands around it. */
const isWrongAnywhere = ({ field, type, detail }: FieldError, { node }: Placed): boolean =>
  field.startsWith('metadata.') ||
  type === 'Required' ||
  (node.shape === 'scalar' && (type === 'Invalid' || type === 'NotSupported') && !OF_ANOTHER.test(detail));

/** Whether an error is about a value that could not be read, or about one around or below it. */
const touches = (field: string, misfits: readonly Misfit[]): boolean =>
  misfits.some(({ steps }) => {
    const path = steps.reduce<string>(joinPath, '');
    return field.startsWith(path) || path.startsWith(field);
  });

/** Returns the object without the values of wrong type, so that the others can be judged. */
function without(object: Manifest, misfits: readonly Misfit[]): Manifest {
  return misfits.reduce((rest, { steps }) => cut(rest, steps) as Manifest, object);
}

function cut(value: unknown, [step, ...below]: readonly (string | number)[]): unknown {
  if (step === undefined) return null;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? cut(item, below) : item));
  const members = Object.entries(value as object).map(([key, item]: [string, unknown]) => [key, key === step ? cut(item, below) : item]);
  return Object.fromEntries(members);
}
