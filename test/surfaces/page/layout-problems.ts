/** Finds layout problems automatically: runs in the page, so it refers to nothing outside itself. */

/** Returns visible texts of less than so many pixels, and the way on of a lesson if it is not wholly in the window. */
export function unreadable(least: number): readonly string[] {
  const found = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = (node.textContent ?? '').trim();
    if (element === null || text === '' || element.closest('script, style, option, .unseen') !== null || !element.checkVisibility())
      continue;
    const { fontSize, color } = getComputedStyle(element);
    const size = Number.parseFloat(fontSize) * (element as HTMLElement & { readonly currentCSSZoom: number }).currentCSSZoom;
    // Signs without a size or a colour are decoration.
    if (size > 0 && size < least && color !== 'rgba(0, 0, 0, 0)')
      found.add(`${size} px: ${element.tagName}.${element.className} ${text.slice(0, 40)}`);
  }
  for (const element of document.querySelectorAll('.way-on > .button, .way-on .open button')) {
    const { top, bottom, left, width } = element.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
    if (document.querySelector('dialog') === null && (top < 0 || bottom > innerHeight || !element.contains(seen)))
      found.add(`not in view: ${(element.textContent ?? '').slice(0, 40)}`);
  }
  return [...found];
}

/** Returns text that is cut without a tooltip, overlapping elements of the stage, and a page wider than its window. */
export function untidiness(): readonly string[] {
  const found: string[] = [];
  const { documentElement: root } = document;
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} wide in a window of ${root.clientWidth}`);
  const name = (element: Element): string =>
    `${element.tagName.toLowerCase()}.${(element.getAttribute('class') ?? '').replaceAll(/\s+/g, '.')} "${(element.textContent ?? '').trim().slice(0, 40)}"`;
  const seen = (element: Element): boolean => element.checkVisibility() && element.getClientRects().length > 0;
  const isCut = (element: HTMLElement): boolean => {
    const { overflowX, overflowY } = getComputedStyle(element);
    return (
      (overflowX !== 'visible' && overflowX !== 'auto' && overflowX !== 'scroll' && element.scrollWidth > element.clientWidth + 1) ||
      (overflowY !== 'visible' && overflowY !== 'auto' && overflowY !== 'scroll' && element.scrollHeight > element.clientHeight + 2)
    );
  };
  for (const element of document.querySelectorAll<HTMLElement>('#app *')) {
    if (!seen(element) || element.clientWidth === 0 || (element.textContent ?? '').trim() === '' || !isCut(element)) continue;
    if (element.closest('[title], textarea, select, .sheet, .unseen') === null && element.querySelector('[title]') === null)
      found.push(`cut: ${name(element)}`);
  }
  const boxes = [...document.querySelectorAll('.stage')].map((stage) =>
    [...stage.querySelectorAll(':scope > .decider, :scope > .card, :scope > .node, :scope > .pod, :scope > .tier')].filter(seen),
  );
  const covers = (a: DOMRect, b: DOMRect): boolean =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  for (const stage of boxes)
    stage.forEach((one, at) => {
      for (const other of stage.slice(at + 1)) {
        // Pods are drawn on nodes.
        if (one.matches('.node') && other.matches('.pod')) continue;
        if (covers(one.getBoundingClientRect(), other.getBoundingClientRect())) found.push(`${name(one)} covers ${name(other)}`);
      }
    });
  for (const pod of document.querySelectorAll('.stage > .pod')) {
    const box = pod.getBoundingClientRect();
    const stands = [...(pod.parentElement?.querySelectorAll('.node') ?? [])].some((node) => {
      const around = node.getBoundingClientRect();
      return box.left >= around.left - 1 && box.right <= around.right + 1 && box.top >= around.top && box.bottom <= around.bottom + 1;
    });
    if (!stands) found.push(`outside of any node: ${name(pod)}`);
  }
  return [...new Set(found)];
}
