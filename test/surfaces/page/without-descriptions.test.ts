/** The engine of a page has no descriptions of kinds, and everything else of them. */
import { describe, expect, it } from 'vitest';
import { withoutDescriptionsIn } from '../../../src/build/without-descriptions.mjs';

const IMPORT = "import { field, obj, str } from '../../schema/shape/index.ts';\n";

describe('a module without descriptions', () => {
  it('has schemas without texts and numbers', async () => {
    const source = `${IMPORT}export const schema = obj('A', 'What it is.', { b: field(1, 'What b is.', obj('B', { c: field([2, 3], str()) })) });`;
    expect(await withoutDescriptionsIn(source)).toContain('obj("A", { b: obj("B", { c: str() }) })');
  });

  it('has no tables and no models', async () => {
    const source = `export const a = define({ models: 'Complete.', columns: ['Name', ['A', 'string', 'What A is.', aOf]], example: { spec: {} } });`;
    expect(await withoutDescriptionsIn(source)).toBe("export const a = define({ models: '', columns: [], example: {} });\n");
  });

  it('keeps functions of its own that have the name of a builder', async () => {
    const source = "const field = (go, json, is) => ({ go, json, is });\nexport const all = [field('A', 'a', 1)];";
    expect(await withoutDescriptionsIn(source)).toContain('[field("A", "a", 1)]');
  });
});
