// Leaves out the rules of a style sheet that a script cannot need: those for classes that none of its texts names. Of names that are composed
// (`density-${how}`) a text has the beginning or the end. Case does not matter, as phases and tones become classes.
import { parse } from 'acorn';

/** Returns the minified sheet without the rules whose selectors all name such a class. */
export function usedStyles(sheet, script) {
  const words = wordsOf(parse(script, { ecmaVersion: 2022 }));
  const parts = [...words].filter((word) => word.length > 1 && (word.startsWith('-') || word.endsWith('-')));
  const isKnown = (name) => {
    const word = name.toLowerCase();
    return words.has(word) || parts.some((part) => (part.endsWith('-') ? word.startsWith(part) : word.endsWith(part)));
  };
  const isUsed = (selector) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].every(([, name]) => isKnown(name));
  return sheet.replace(/([^{}]+)\{([^{}]*)\}/g, (rule, selectors, body) => {
    // Steps of an animation, and rules like `@font-face`, name no class.
    const used = selectorsIn(selectors).filter(isUsed);
    return used.length === 0 ? '' : `${used.join(',')}{${body}}`;
  });
}

/** The selectors of a list: commas within brackets belong to one of them. */
function selectorsIn(list) {
  const all = [''];
  let depth = 0;
  for (const letter of list) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) all.push('');
    else all[all.length - 1] += letter;
  }
  return all;
}

/** The words of all texts of a script. */
function wordsOf(program) {
  const words = new Set();
  const add = (text) => {
    for (const word of text.toLowerCase().split(/[^a-z0-9_-]+/)) words.add(word);
  };
  const walk = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.value);
    if (node.type === 'TemplateElement') add(node.value.cooked ?? '');
    for (const each of Object.values(node)) if (typeof each === 'object') walk(each);
  };
  walk(program);
  return words;
}
