/** Makes a scenario of files: a scenario is taken as it is, with the others as its files; a dump of a cluster becomes its beginning. */
import type { CarriedScenario } from './protocol.ts';

interface OwnFile {
  readonly name: string;
  readonly text: string;
}

const isScenario = ({ text }: OwnFile): boolean => /^kind: *["']?Scenario\b/m.test(text);
/** What a server returned: a list, or objects with what only a server writes. */
const isDump = ({ text }: OwnFile): boolean =>
  /\bkind["']?: *["']?List\b/.test(text) || (/\buid["']?:/.test(text) && /\bresourceVersion["']?:/.test(text));

/** Returns the scenario, or why there is none. The engine says what is wrong within a file. */
export function scenarioOf(files: readonly OwnFile[]): CarriedScenario | { readonly refused: string } {
  const scenarios = files.filter(isScenario);
  if (scenarios.length > 1) return { refused: `expected one scenario, found ${scenarios.map(({ name }) => name).join(' and ')}` };
  const [scenario] = scenarios;
  const others = files.filter((file) => file !== scenario);
  if (scenario !== undefined) return named(scenario, others);
  if (files.some(isDump)) return fromDump(files);
  // Several files of manifests are one: documents after each other.
  const [first = { name: 'scenario.yaml', text: '' }] = files;
  return named({ name: first.name, text: files.map(({ text }) => text).join('\n---\n') }, []);
}

function named({ name, text }: OwnFile, others: readonly OwnFile[]): CarriedScenario {
  const stem = stemOf(name);
  return { name: stem, title: stem, file: name, text, ...(others.length === 0 ? {} : { files: filesBy(others) }) };
}

/** A scenario that begins with the dump, and shows what follows of it. */
function fromDump(files: readonly OwnFile[]): CarriedScenario {
  const stem = stemOf(files[0]?.name ?? 'dump');
  const text = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: ${JSON.stringify(labelOf(stem))} }
spec:
  domain: k8s.io
  from: { paths: [${files.map(({ name }) => JSON.stringify(name)).join(', ')}], lenient: true }
  until: 10m
`;
  const title = `From ${files.map(({ name }) => name).join(', ')}`;
  return { name: stem, title, file: `${stem}.scenario.yaml`, text, files: filesBy(files) };
}

const filesBy = (files: readonly OwnFile[]): Readonly<Record<string, string>> =>
  Object.fromEntries(files.map(({ name, text }) => [name, text]));
const stemOf = (name: string): string => name.replace(/\.(?:ya?ml|json)$/, '') || name;
/** A name of an object. */
const labelOf = (stem: string): string =>
  stem
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60) || 'dump';
