/** Holds sources against the rules of the architecture. Every violation names file, line and remedy, so that nobody has to look up a rule. */
import { BANS, CASTS, EXEMPTIONS, PACKAGE_REMEDIES, RXJS_TIMERS, type Cast, type Exemption } from './bans.ts';
import { LAYERS, LAYER_FACE, LENDERS, LONGEST, LONGEST_FUNCTION, MAY_BE_LONG, MAY_BE_LONG_FUNCTIONS, MEDIAN } from './layers.ts';
import type { Layer, Module } from './layers.ts';
import { functionsOf } from './functions.ts';
import { codeOf, importsOf, lineAt, lineCount, type Import, type SourceFile } from './source.ts';

/** Where a file stands; entry points such as `src/index.ts` stand on no layer and may import any module's face. */
interface Place {
  readonly layer: Layer;
  readonly level: number;
  readonly module: Module;
  readonly order: number;
  /** Path inside the module; empty for a module that is a file. */
  readonly inside: string;
}

const SURFACES = LAYERS.findIndex(({ name }) => name === 'surfaces');

/** What breaks the order of layers and modules. */
export function brokenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const from = placeOf(file.path);
    if (typeof from === 'string') return [`${file.path}:1 ${from}`];
    return importsOf(file).flatMap((found) => {
      const broken = found.specifier.startsWith('.') ? brokenPath(file, from, found) : brokenPackage(from, found);
      return broken === undefined ? [] : [`${file.path}:${found.line} imports ${found.specifier}: ${broken}`];
    });
  });
}

function brokenPath(file: SourceFile, from: Place | undefined, { specifier }: Import): string | undefined {
  if (/\.(?:md|yaml|sh|txt)$/.test(specifier)) return from?.level === SURFACES ? undefined : 'texts that are files are for surfaces';
  if (!/\.(?:tsx?|json)$/.test(specifier)) return 'name the file with its ending: ./file.ts';
  const target = resolvePath(file.path, specifier);
  if (!target.startsWith('src/')) return 'it lies outside src, and what is installed has no outside';
  const to = placeOf(target);
  if (typeof to === 'string') return to;
  if (to === undefined)
    return from === undefined || LENDERS[file.path] !== undefined ? undefined : 'entry points face outwards: import the module itself';
  if (from !== undefined && from.module === to.module) return brokenSibling(from, to);
  if (from !== undefined && to.level > from.level)
    return `${from.layer.name} knows nothing of ${to.layer.name}: move what you need down, or pass it in as an argument`;
  if (from !== undefined && to.level === from.level && to.order > from.order)
    return `module ${from.module.name} stands above ${to.module.name} in the list of ${to.layer.name}: move the shared part up, or pass it in as an argument`;
  if (to.inside !== '' && to.inside !== 'index.ts')
    return `${to.module.name}/${to.inside} is inside: import ${to.layer.name}/${to.module.name}/index.ts and export it there`;
  return undefined;
}

/** Folders of a module that stand apart: each is read, changed and taken away alone. */
function brokenSibling({ layer, module, inside }: Place, to: Place): string | undefined {
  if (module.apart === undefined || !inside.includes('/') || !to.inside.includes('/')) return undefined;
  const [own, other] = [inside, to.inside].map((path) => path.split('/')[0]);
  return own === other
    ? undefined
    : `${own ?? ''} looks into its sibling ${other ?? ''}: move what both need to ${layer.name}/${module.apart.shared}`;
}

function brokenPackage(from: Place | undefined, { specifier, names }: Import): string | undefined {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (from === undefined) return undefined;
  const belowSurfaces = from.level < SURFACES;
  if (specifier.startsWith('node:'))
    return belowSurfaces ? `${from.layer.name} runs in a browser too: let a surface read it and pass it in` : undefined;
  const timer = name === 'rxjs' && belowSurfaces ? names.find((each) => RXJS_TIMERS.has(each)) : undefined;
  if (timer !== undefined) return `${timer} waits by the host's clock: schedule an event on the kernel`;
  if (from.layer.packages.includes(name)) return undefined;
  return (
    (belowSurfaces ? PACKAGE_REMEDIES[name] : undefined) ??
    `${from.layer.name} uses only ${from.layer.packages.join(', ')}: add it to test/layers/layers.ts if it must be`
  );
}

/** What leaks the host or goes round the ways of the architecture. */
export function brokenBans(files: readonly SourceFile[], exemptions: readonly Exemption[] = EXEMPTIONS): string[] {
  const used = new Set<Exemption>();
  const broken = files.flatMap((file) => {
    const code = codeOf(file.text);
    const belowSurfaces = LAYERS.slice(0, SURFACES).some(({ name }) => file.path.startsWith(`src/${name}/`));
    return BANS.filter((ban) => ban.where === undefined || belowSurfaces).flatMap((ban) => {
      const matches = [...code.matchAll(ban.pattern)];
      const exemption = exemptions.find((each) => each.file === file.path && each.ban === ban.name);
      if (exemption !== undefined && matches.length > 0) used.add(exemption);
      return exemption !== undefined ? [] : matches.map(({ index }) => `${file.path}:${lineAt(code, index)} ${ban.name}: ${ban.remedy}`);
    });
  });
  const stale = exemptions
    .filter((each) => !used.has(each))
    .map(({ file, ban }) => `${file}:1 no longer needs its exemption from "${ban}": take it off the list in test/layers/bans.ts`);
  return [...broken, ...stale];
}

/** What has grown too long. */
export function brokenSizes(files: readonly SourceFile[], mayBeLong: Readonly<Record<string, string>> = MAY_BE_LONG): string[] {
  const lengths = files.map(({ path, text }) => ({ path, lines: lineCount(text) }));
  const long = lengths
    .filter(({ path, lines }) => lines > LONGEST && mayBeLong[path] === undefined)
    .map(
      ({ path, lines }) => `${path}:${LONGEST + 1} has ${lines} lines: a file is one idea, so split it, or name the reason in MAY_BE_LONG`,
    );
  const stale = Object.keys(mayBeLong)
    .filter((path) => !lengths.some((each) => each.path === path && each.lines > LONGEST))
    .map((path) => `${path}:1 is not long any more: take it off MAY_BE_LONG`);
  const median = lengths.map(({ lines }) => lines).sort((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? 0;
  return [
    ...long,
    ...stale,
    ...(median > MEDIAN ? [`src: the median file has ${median} lines, not ${MEDIAN}: split what holds several ideas`] : []),
  ];
}

/** Functions that do not fit a head. */
export function brokenFunctions(
  files: readonly SourceFile[],
  mayBeLong: Readonly<Record<string, string>> = MAY_BE_LONG_FUNCTIONS,
): string[] {
  const long = files.flatMap((file) =>
    functionsOf(file)
      .filter(({ lines }) => lines > LONGEST_FUNCTION)
      .map((found) => ({ ...found, path: file.path, key: `${file.path} ${found.name}` })),
  );
  const refused = long
    .filter(({ key }) => mayBeLong[key] === undefined)
    .map(
      ({ path, line, name, lines }) =>
        `${path}:${line} ${name} has ${lines} lines, not ${LONGEST_FUNCTION}: cut it into methods of a class that holds its state, ` +
        'as src/engine/kernel/queue.ts does',
    );
  const stale = Object.keys(mayBeLong)
    .filter((key) => !long.some((each) => each.key === key))
    .map((key) => `${key.replace(' ', ':1 ')} is not long any more: take it off MAY_BE_LONG_FUNCTIONS`);
  return [...refused, ...stale];
}

/** Values that are taken for what their types say they cannot be. */
export function brokenCasts(files: readonly SourceFile[], casts: Readonly<Record<string, Cast>> = CASTS): string[] {
  const found = files.map(({ path, text }) => {
    const code = codeOf(text);
    return { path, lines: [...code.matchAll(/\bas\s+unknown\s+as\b/g)].map(({ index }) => lineAt(code, index)) };
  });
  const refused = found
    .filter(({ path, lines }) => lines.length > (casts[path]?.count ?? 0))
    .map(
      ({ path, lines }) =>
        `${path}:${lines.at(-1)} as unknown as: type the value where it comes from (kinds are typed by name: ObjectByKind); ` +
        'where untyped input becomes typed, name the file, the number and the reason in CASTS',
    );
  const stale = Object.entries(casts).flatMap(([path, { count }]) => {
    const left = found.find((each) => each.path === path)?.lines.length ?? 0;
    return left >= count
      ? []
      : [`${path}:1 has ${left} of the ${count} casts that CASTS allows it: lower the number in test/layers/bans.ts`];
  });
  return [...refused, ...stale];
}

/** Circles of files that import each other, types and imports on request included: of such files none can be read first. */
export function brokenCircles(files: readonly SourceFile[]): string[] {
  const left = new Map(files.map((file) => [file.path, importsOf(file).map(({ specifier }) => resolvePath(file.path, specifier))]));
  // A file that imports nothing of what is left is in no circle; nor is one that nothing of it imports.
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    const imported = new Set([...left.values()].flat());
    for (const [path, imports] of left) if (!imported.has(path) || !imports.some((each) => left.has(each))) left.delete(path);
  }
  return [...left].map(
    ([path, imports]) => `${path}:1 is in a circle, or between two, with ${imports.filter((each) => left.has(each)).join(', ')}`,
  );
}

/** Modules whose face does not say what lives there. */
export function silentModules(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, text }) => /^src\/[^/]+\/[^/]+\/index\.ts$/.test(path) && !/^\s*\/[*/]/.test(text))
    .map(({ path }) => `${path}:1 the face of a module opens with a comment that says what lives here`);
}

function placeOf(path: string): Place | string | undefined {
  const [, layerName, moduleName, ...rest] = path.split('/');
  if (moduleName === undefined) return undefined;
  const level = LAYERS.findIndex(({ name }) => name === layerName);
  const layer = LAYERS[level];
  if (layer === undefined) return `there is no layer ${layerName ?? ''}: the layers are ${LAYERS.map(({ name }) => name).join(', ')}`;
  if (moduleName === LAYER_FACE.name) return { layer, level, module: LAYER_FACE, order: layer.modules.length, inside: '' };
  const order = layer.modules.findIndex(({ name }) => name === moduleName);
  const module = layer.modules[order];
  if (module === undefined)
    return `${layer.name} has no module ${moduleName}: add it at its place, with a reason, to test/layers/layers.ts`;
  return { layer, level, module, order, inside: rest.join('/') };
}

function resolvePath(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
