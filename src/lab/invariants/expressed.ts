/**
 * Checkers for the invariants that a scenario defines as expressions. A condition is evaluated when an object that it reads has changed,
 * and the condition of an object when that object has. A failure contains the object and the decisive values.
 */
import { storeKey, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { compileExpression, type CompiledExpression, type ExpressedInvariant, type Facts as ExpressionFacts } from '../scenario/index.ts';
import { type Checker, type Facts, type Invariant, type Violation, withExercised } from './invariant.ts';
import { createObligations, type Obligations } from './obligations.ts';

export function expressed(spec: ExpressedInvariant): Invariant {
  const condition = compiled(spec.condition.cel);
  const where = spec.where === undefined ? undefined : compiled(spec.where.cel);
  const reads = condition.kinds;
  const kinds = reads === undefined ? ['*'] : [...new Set([...(spec.foreach ?? []), ...reads])];
  return {
    name: spec.name,
    temporal: spec.temporal,
    description: spec.description ?? spec.condition.cel,
    ...(spec.source === undefined ? {} : { source: spec.source }),
    // A condition that reads only the time is evaluated at every change.
    kinds: kinds.length === 0 ? ['*'] : kinds,
    check: () => checkerOf({ spec, condition, where, foreach: spec.foreach === undefined ? undefined : new Set(spec.foreach) }),
  };
}

/** Returns the compiled expression, which compiled without errors when the scenario was read. */
function compiled(cel: string): CompiledExpression {
  const made = compileExpression(cel, { about: 'change' });
  if ('error' in made) throw new Error(`${cel}: ${made.error.message}`);
  return made.expression;
}

interface Asked {
  readonly spec: ExpressedInvariant;
  readonly condition: CompiledExpression;
  readonly where: CompiledExpression | undefined;
  /** Absent: the condition is about the whole cluster. */
  readonly foreach: ReadonlySet<string> | undefined;
}

const expressionFacts = (facts: Facts): ExpressionFacts => ({
  objects: (kind, namespace) => (namespace === undefined ? [...facts.list(kind)] : facts.by(kind, 'namespace', namespace)),
  object: (kind, namespace, name) => facts.get(kind, storeKey(namespace, name)),
  now: facts.now,
  startAt: facts.startAt,
});

interface Subject {
  /** The uid; empty for the whole cluster. */
  readonly id: string;
  /** The start of its time limit, milliseconds since the epoch. */
  readonly since: number;
  readonly self?: ApiObject;
  readonly old?: ApiObject | null;
}

function violationBy({ spec, condition }: Asked, { self, old }: Subject, facts: Facts): Violation | undefined {
  const world = expressionFacts(facts);
  const answer = condition.evaluate(world, self, old);
  if ('holds' in answer && answer.holds) return undefined;
  const about = self === undefined ? '' : `${self.kind} ${storeKey(self.metadata.namespace, self.metadata.name)}: `;
  const what = 'error' in answer ? `it could not be evaluated: ${answer.error}` : WORDS[spec.temporal];
  const values = 'error' in answer ? [] : condition.explain(world, self, old).map((line) => `    ${line}`);
  return {
    message: `${about}${what}`,
    detail: [`  ${spec.condition.cel}`, ...values],
    ...(self === undefined ? {} : { object: self }),
  };
}

const WORDS = {
  always: 'it does not hold',
  eventually: 'it has not become true in time',
  stable: 'it does not hold',
  sometimes: 'it was not seen',
} as const;

interface Watch extends Asked {
  exercised: number;
  /** For `eventually`: the subjects for which it has become true. */
  readonly kept: Set<string>;
  /** Subjects that must be evaluated at an instant. */
  readonly obligations: Obligations<Subject>;
}

function checkerOf(asked: Asked): Checker {
  const watch: Watch = { ...asked, exercised: 0, kept: new Set(), obligations: createObligations() };
  return withExercised(
    { exercised: () => watch.exercised },
    {
      describe: () => [watch.kept, watch.obligations.describe()],
      onChange: (change, facts) =>
        facts.now < facts.startAt ? undefined : firstOf(affectedBy(watch, change, facts), (each) => evaluate(watch, each, facts)),
      deadline: () => watch.obligations.next(),
      onTime: (facts) => firstOf(dueObligations(watch, facts), (each) => judge(watch, each, facts)),
      onEnd: (facts, settled) => firstOf(subjects(watch, facts), (each) => judgeAtEnd(watch, each, facts, settled)),
    },
  );
}

function firstOf(all: Iterable<Subject>, judgement: (subject: Subject) => Violation | undefined): Violation | undefined {
  for (const each of all) {
    const violation = judgement(each);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

const WORLD_ID = '';
const subjectOf = (object: ApiObject, old: ApiObject | null, { startAt }: Facts): Subject => ({
  id: object.metadata.uid,
  since: Math.max(Date.parse(object.metadata.creationTimestamp), startAt),
  self: object,
  old,
});

function* subjects({ foreach }: Watch, facts: Facts): Generator<Subject> {
  if (foreach === undefined) yield { id: WORLD_ID, since: facts.startAt };
  else for (const kind of foreach) for (const object of facts.list(kind)) yield subjectOf(object, object, facts);
}

/**
 * Yields the subjects that a change affects: the changed object, and all subjects where the condition reads that kind. A condition that
 * reads `old` affects only the changed object.
 */
function* affectedBy(watch: Watch, { type, kind, object, previous }: ChangeLike, facts: Facts): Generator<Subject> {
  const { foreach, condition, obligations } = watch;
  const own = foreach?.has(kind) === true;
  if (own && type === 'DELETED') obligations.settle(object.metadata.uid);
  else if (own) yield subjectOf(object, previous ?? null, facts);
  if (foreach !== undefined && (condition.mentions.has('old') || (own && condition.kinds?.has(kind) === false))) return;
  for (const each of subjects(watch, facts)) if (!own || each.id !== object.metadata.uid) yield each;
}

type ChangeLike = Pick<Change, 'type' | 'kind' | 'object' | 'previous'>;

function* dueObligations({ obligations }: Watch, facts: Facts): Generator<Subject> {
  for (let due = obligations.overdue(facts.now); due !== undefined; due = obligations.overdue(facts.now)) {
    obligations.settle(due.id);
    const self =
      due.self === undefined ? undefined : facts.get(due.self.kind, storeKey(due.self.metadata.namespace, due.self.metadata.name));
    if (due.self === undefined || self?.metadata.uid === due.id) yield { ...due, ...(self === undefined ? {} : { self, old: self }) };
  }
}

function judge(watch: Watch, subject: Subject, facts: Facts): Violation | undefined {
  const violation = violationBy(watch, subject, facts);
  if (violation === undefined) {
    watch.exercised++;
    if (watch.spec.temporal === 'eventually') watch.kept.add(subject.id);
    watch.obligations.settle(subject.id);
  }
  return violation;
}

function concerns({ where }: Watch, { self }: Subject, facts: Facts): boolean {
  const answer = self === undefined ? undefined : where?.evaluate(expressionFacts(facts), self);
  return answer === undefined || ('holds' in answer && answer.holds);
}

function evaluate(watch: Watch, subject: Subject, facts: Facts): Violation | undefined {
  const { spec, kept, obligations } = watch;
  const { temporal, withinMs = Infinity } = spec;
  if (kept.has(subject.id)) return undefined;
  if (!concerns(watch, subject, facts)) {
    obligations.settle(subject.id);
    return undefined;
  }
  const dueAt = subject.since + withinMs;
  switch (temporal) {
    case 'always':
      return judge(watch, subject, facts);
    case 'stable':
      if (facts.now > dueAt) return judge(watch, subject, facts);
      obligations.make(subject.id, dueAt, subject);
      return undefined;
    case 'eventually':
      obligations.make(subject.id, dueAt, subject);
      judge(watch, subject, facts);
      return undefined;
    default:
      if (watch.exercised === 0) judge(watch, subject, facts);
      return undefined;
  }
}

/** Evaluates the open subjects at the end of the run. In a settled cluster the result is final. */
function judgeAtEnd(watch: Watch, subject: Subject, facts: Facts, settled: boolean): Violation | undefined {
  const { spec, kept } = watch;
  const { temporal, withinMs } = spec;
  if (kept.has(subject.id) || !concerns(watch, subject, facts)) return undefined;
  if (temporal === 'sometimes') {
    judge(watch, subject, facts);
    return undefined;
  }
  const over = withinMs === undefined || settled || facts.now >= subject.since + withinMs;
  return temporal === 'always' || !over ? undefined : judge(watch, subject, facts);
}
